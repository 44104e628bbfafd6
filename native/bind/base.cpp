// headwise._native.base: the limits of what models may ask for. No algorithms here.
#include <nanobind/nanobind.h>

#include <cmath>

#include "base/limits.hpp"
#include "bind/modules.hpp"

namespace nb = nanobind;

namespace headwise::bind {

void base(nb::module_ module) {
  nb::dict limits;
  const auto number = [](double value) -> nb::object {
    if (value == std::floor(value)) return nb::int_(static_cast<long long>(value));
    return nb::float_(value);
  };
  for (const Limit& limit : headwise::base::limits)
    limits[nb::str(limit.name.data(), limit.name.size())] = nb::make_tuple(number(limit.least), number(limit.most));
  module.attr("limits") = limits;
}

}  // namespace headwise::bind
