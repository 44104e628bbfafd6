// Structs whose fields have names outside of C++: what somebody chooses, or what the header of a model says. Such a struct
// names each field once,
//
//   static constexpr auto fields() { return std::tuple(field("step", &Sizes::step), field("damping", &Sizes::damping)); }
//
// and who makes one of names and values, or checks one, goes through these.
#pragma once
#include "rooms.hpp"
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/limits.hpp"

namespace headwise::base {

template <class Struct, class Value>
struct Field {
  std::string_view name;
  Value Struct::*value;
  bool is_required = false;
};

template <class Struct, class Value>
constexpr Field<Struct, Value> field(std::string_view name, Value Struct::*value) {
  return {name, value};
}
// One that has no default which makes sense.
template <class Struct, class Value>
constexpr Field<Struct, Value> required(std::string_view name, Value Struct::*value) {
  return {name, value, true};
}

// f(field) for each.
template <class Struct, class F>
void each_field(F f) {
  std::apply([&](const auto&... one) { (f(one), ...); }, Struct::fields());
}

// Checks every number that has a limit of the name "component.field".
template <class Struct>
void check_fields(std::string_view component, const Struct& checked) {
  each_field<Struct>([&](const auto& one) {
    const auto& value = checked.*one.value;
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      for (const Limit& limit : limits)
        if (limit.name.size() == component.size() + 1 + one.name.size() && limit.name.starts_with(component) &&
            limit.name[component.size()] == '.' && limit.name.ends_with(one.name))
          check(limit, static_cast<double>(value));
  });
}

}  // namespace headwise::base
