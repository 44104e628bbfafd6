#include "bind/rooms.hpp"

namespace headwise::bind {
void conll(nanobind::module_) {}
}  // namespace headwise::bind
