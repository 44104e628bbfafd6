// The role of a word, guessed before its head is searched: the label it will have, and on which side its head is.
//
// Features of larger parts can then tell a subject from an object (Ouchi, Duh and Matsumoto 2014 call such tags
// supertags). A guess is a choice of its own for each word, by what stands around it: labelling, as the labels of a
// finished tree are, of a tree in which every word hangs from the root.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "scoring/labeler.hpp"
#include "scoring/scorer.hpp"

namespace headwise::scoring {

// The roles there are, and the features that choose them.
class RoleShape final : public ScorerShape {
 public:
  RoleShape(ArcFilter tag_numbers, LabelTemplates templates_of_words, LabelSet names, int bits)
      : tags(std::move(tag_numbers)),
        templates(std::move(templates_of_words)),
        roles(std::move(names)),
        mask(mask_of_bits(bits, limit("roles.bits"))) {
    base::check(limit("roles.count"), roles.count);
  }

  std::vector<TableSize> tables() const override { return {{"roles", table_size()}}; }
  std::unique_ptr<Scorer> make() const override;
  std::size_t table_size() const { return std::size_t{mask} + 1 + label_row_padding; }

  ArcFilter tags;            // their numbers
  LabelTemplates templates;  // of m alone
  LabelSet roles;            // as labels of arcs from the root
  std::uint32_t mask;        // the size of the weight table less one
};

class RoleReader {
 public:
  explicit RoleReader(const RoleShape& shape) : labeler_(shape.templates, shape.roles, shape.tags, shape.mask) {}

  // The most likely role of every word.
  const std::vector<int>& guess(const Atoms& atoms, const float* weights) {
    heads_.assign(static_cast<std::size_t>(atoms.words()), 0);
    roles_.resize(heads_.size());
    labeler_.assign(atoms, heads_);
    labeler_.label(weights, roles_);
    return roles_;
  }

 private:
  TreeLabeler labeler_;
  std::vector<int> heads_, roles_;
};

// As a scorer it adds nothing of its own: others read the sentence with the roles of its words.
class RoleScorer final : public Scorer {
 public:
  explicit RoleScorer(const RoleShape& shape) : reader_(shape) {}

  const Atoms& annotate(const Atoms& atoms, const WeightTables& tables) override {
    const std::vector<int>& roles = reader_.guess(atoms, tables["roles"]);
    with_roles_ = atoms;
    with_roles_.set_roles(roles);
    return with_roles_;
  }

 private:
  RoleReader reader_;
  Atoms with_roles_;
};

inline std::unique_ptr<Scorer> RoleShape::make() const { return std::make_unique<RoleScorer>(*this); }

}  // namespace headwise::scoring
