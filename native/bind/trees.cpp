#include "bind/rooms.hpp"

namespace headwise::bind {
void trees(nanobind::module_) {}
}  // namespace headwise::bind
