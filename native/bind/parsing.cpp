#include "bind/rooms.hpp"

namespace headwise::bind {
void parsing(nanobind::module_) {}
}  // namespace headwise::bind
