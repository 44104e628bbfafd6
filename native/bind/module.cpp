// The extension module headwise._native: one submodule a room, each bound in its own file.
#include <nanobind/nanobind.h>

#include "bind/modules.hpp"

namespace nb = nanobind;

NB_MODULE(_native, module) {
  module.doc() = "The native core of Headwise. Use the headwise package, not this module.";
  headwise::bind::base(module.def_submodule("base", "What all rooms stand on."));
  headwise::bind::treebank(module.def_submodule("treebank", "Treebank files: reading, writing, sentences."));
  headwise::bind::trees(module.def_submodule("trees", "Inference over dependency trees."));
  headwise::bind::scoring(module.def_submodule("scoring", "What fills the tables of scores beside features."));
  headwise::bind::parsing(module.def_submodule("parsing", "Parsers, and how sure they are."));
  headwise::bind::learning(module.def_submodule("learning", "From gold trees to weights."));
  headwise::bind::dual(module.def_submodule("dual", "Dual decomposition and branch-and-bound."));
  headwise::bind::local_search(module.def_submodule("local_search", "Climbing and sampling from tree to tree."));
  headwise::bind::tagging(module.def_submodule("tagging", "Label sequences: tags, and the scripts of lemmas."));
  headwise::bind::constituency(module.def_submodule("constituency", "Phrase structure: grammars, charts, forests."));
  headwise::bind::text(module.def_submodule("text", "Raw text: the ends of tokens and sentences."));
  headwise::bind::clusters(module.def_submodule("clusters", "Words clustered by the company they keep."));
  headwise::bind::patterns(module.def_submodule("patterns", "Pieces of trees that people look for."));
}
