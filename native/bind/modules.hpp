// What each file in native/bind adds to the extension module.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

namespace headwise::bind {
void base(nanobind::module_ module);
void treebank(nanobind::module_ module);
void trees(nanobind::module_ module);
void dual(nanobind::module_ module);
void local_search(nanobind::module_ module);
void scoring(nanobind::module_ module);
void parsing(nanobind::module_ module);
void learning(nanobind::module_ module);
void tagging(nanobind::module_ module);
void constituency(nanobind::module_ module);
void text(nanobind::module_ module);
void clusters(nanobind::module_ module);
void patterns(nanobind::module_ module);

// Into the rooms that they are of.
void role_scoring(nanobind::module_ module);
void role_learning(nanobind::module_ module);
void label_rules(nanobind::module_ module);
void whole_tree_scoring(nanobind::module_ module);
void tensor_scoring(nanobind::module_ module);
void tensor_learning(nanobind::module_ module);
void network_scoring(nanobind::module_ module);
void network_learning(nanobind::module_ module);
void hidden_markov_clusters(nanobind::module_ module);
}  // namespace headwise::bind
