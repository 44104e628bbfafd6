// Structs of named fields (base/fields.hpp) from keyword arguments.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <type_traits>

#include "base/fields.hpp"

namespace headwise::bind {

template <class Struct>
Struct struct_of(const nanobind::kwargs& given) {
  Struct made;
  std::size_t taken = 0;
  each_field<Struct>([&](const auto& one) {
    const nanobind::str name(one.name.data(), one.name.size());
    auto& value = made.*one.value;
    if (given.contains(name)) {
      using Value = std::remove_cvref_t<decltype(value)>;
      if (!nanobind::try_cast<Value>(given[name], value))
        throw nanobind::type_error((std::string(one.name) + ": a value of the wrong type").c_str());
      ++taken;
    } else if (one.is_required) {
      throw nanobind::type_error(("the argument " + std::string(one.name) + " is missing").c_str());
    }
  });
  if (taken != given.size())
    for (const auto [name, value] : given) {
      bool known = false;
      each_field<Struct>([&](const auto& one) { known |= one.name == nanobind::cast<std::string>(name); });
      if (!known)
        throw nanobind::type_error(("there is no argument " + nanobind::cast<std::string>(name)).c_str());
    }
  return made;
}

// The type of an array as signatures have it: of "int64" …
inline std::string array_of(const std::string& numbers) {
  return "typing.Annotated[numpy.typing.NDArray[numpy." + numbers +
         "], dict(shape=(None,), order='C', device='cpu', writable=False)]";
}

// The signature of a constructor that takes these fields as keywords, after other arguments ("vocabulary: int, ") and
// other keywords; nanobind keeps a copy.
template <class Struct>
std::string constructor_of(const std::string& others, const std::string& other_keywords = {}) {
  std::string text = "def __init__(self, " + others + "*, " + other_keywords;
  each_field<Struct>([&](const auto& one) {
    using Value = std::remove_cvref_t<decltype(Struct{}.*one.value)>;
    constexpr const char* type = std::is_same_v<Value, bool>          ? "bool"
                                 : std::is_floating_point_v<Value>    ? "float"
                                 : std::is_same_v<Value, std::string> ? "str"
                                                                      : "int";
    text += std::string(one.name) + ": " + type;
    if (!one.is_required) text += std::string(" = ") + nanobind::repr(nanobind::cast(Struct{}.*one.value)).c_str();
    text += ", ";
  });
  text.resize(text.size() - 2);
  return text + ") -> None";
}

}  // namespace headwise::bind
