// What each file in native/bind adds to the extension module.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

namespace headwise::bind {
void treebank(nanobind::module_ module);
void trees(nanobind::module_ module);
void parsing(nanobind::module_ module);
void higher_order(nanobind::module_ module);  // into the parsing room
void global_features(nanobind::module_ module);  // likewise
void network(nanobind::module_ module);  // likewise
void dual(nanobind::module_ module);
void dual_training(nanobind::module_ module);  // likewise
void local_search(nanobind::module_ module);
void tagging(nanobind::module_ module);
void constituency(nanobind::module_ module);
void text(nanobind::module_ module);
}  // namespace headwise::bind
