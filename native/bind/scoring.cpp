// Bindings of scorers: what a list of them has in common, and each in a file of its own.
#include <nanobind/nanobind.h>

#include "bind/modules.hpp"
#include "scoring/scorer.hpp"

namespace headwise::bind {

void scoring(nanobind::module_ module) {
  nanobind::class_<ScorerShape>(module, "ScorerShape", "What a scorer computes, without its weights.");
  role_scoring(module);
  whole_tree_scoring(module);
  tensor_scoring(module);
  network_scoring(module);
}

}  // namespace headwise::bind
