// The role of a word, guessed before its head is searched: the label it will have, and on which side its head is.
//
// Features of larger parts can then tell a subject from an object (Ouchi, Duh and Matsumoto 2014 call such tags
// supertags). A guess is a choice of its own for each word, by what stands around it: labelling, as the labels of a
// finished tree are, of a tree in which every word hangs from the root.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scoring/labeler.hpp"

namespace headwise::scoring {

struct RoleShape {
  ArcFilter tags;  // their numbers
  LabelTemplates templates{std::span<const std::string>{}};  // of m alone
  LabelSet roles;  // as labels of arcs from the root
  std::uint32_t mask = 0;  // the size of the weight table less one

  bool any() const { return roles.count > 0; }
  std::size_t table_size() const { return any() ? std::size_t{mask} + 1 + label_row_padding : 0; }
};

class RoleReader {
 public:
  explicit RoleReader(const RoleShape& shape)
      : labeler_(shape.templates, shape.roles, shape.tags, shape.mask) {}

  // The most likely role of every word.
  const std::vector<int>& guess(const Atoms& atoms, const float* weights) {
    heads_.assign(static_cast<std::size_t>(atoms.words()), 0);
    roles_.resize(heads_.size());
    labeler_.assign(atoms, heads_);
    labeler_.label(weights, roles_);
    return roles_;
  }

  // The same sentence with the roles of its words.
  const Atoms& read(const Atoms& atoms, const float* weights) {
    guess(atoms, weights);
    with_roles_ = atoms;
    with_roles_.set_roles(roles_);
    return with_roles_;
  }

 private:
  TreeLabeler labeler_;
  std::vector<int> heads_, roles_;
  Atoms with_roles_;
};

}  // namespace headwise::scoring
