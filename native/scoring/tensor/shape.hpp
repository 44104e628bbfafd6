// What a low-rank tensor computes, without its weights (Lei, Xin, Zhang, Barzilay and Jaakkola 2014): the features of a
// word, as rows of tables that are added up, and the rank.
//
//   s(h → m) = (1 − γ) Σᵢ [U φ_h]ᵢ [V φ_m]ᵢ [W φ_hm]ᵢ        (their equation 2)
//
// Beside it stands ⟨γθ, φ⟩, the features of arcs: their table holds γθ, so that parsing knows of no γ.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/templates.hpp"
#include "scoring/scorer.hpp"

namespace headwise::scoring {

// The features of one word by templates such as "w-1.pos w.pos": 32-bit keys.
class WordTemplates {
 public:
  static constexpr std::array<std::string_view, 1> members = {"w"};

  explicit WordTemplates(std::span<const std::string> lines) {
    for (const std::string& line : lines) templates_.push_back(parse_template(line, members));
  }
  const std::vector<Template>& templates() const { return templates_; }

  // f(key) for every feature of the word (or the root) at a position.
  template <class F>
  void for_each_key(const Atoms& atoms, int position, F f) const {
    for (const Template& t : templates_) t.members[0].for_each_key(atoms, position, f);
  }

 private:
  std::vector<Template> templates_;
};

// Vectors of words, of the same width each, found by the word in lower case.
struct WordVectors {
  std::unordered_map<std::uint64_t, std::uint32_t> rows;
  LargeTable<float> values;
  int width = 0;

  // nullptr for a word without a vector.
  const float* find(const Atoms& atoms, int position) const {
    if (position < 1 || position > atoms.words()) return nullptr;
    const auto found = rows.find(atoms.value(position, Attribute::lower));
    return found == rows.end() ? nullptr : values.data() + std::size_t{found->second} * static_cast<std::size_t>(width);
  }
};

// From keys to the numbers of rows, counted from 1 in the order of the keys: open addressing, for it is asked of every
// feature of every word.
class RowNumbers {
 public:
  explicit RowNumbers(std::span<const std::uint32_t> keys) : size_(static_cast<std::uint32_t>(keys.size())) {
    std::size_t capacity = 16;
    while (capacity < 2 * keys.size()) capacity *= 2;
    slots_.assign(capacity, {});
    for (std::uint32_t row = 1; row <= size_; ++row) {
      Slot& slot = slots_[place(keys[row - 1])];
      if (slot.row) throw std::invalid_argument("the vocabulary of a tensor names a feature twice");
      slot = {keys[row - 1], row};
    }
  }
  std::uint32_t size() const { return size_; }
  // 0 for a key that has none.
  std::uint32_t find(std::uint32_t key) const { return slots_[place(key)].row; }

 private:
  struct Slot {
    std::uint32_t key = 0, row = 0;
  };
  std::size_t place(std::uint32_t key) const {
    std::size_t at = mix(key) & (slots_.size() - 1);
    while (slots_[at].row && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  std::vector<Slot> slots_;
  std::uint32_t size_;
};

class TensorShape final : public ScorerShape {
 public:
  // The vectors of a word and of its neighbours are features of it.
  static constexpr std::array vector_offsets = {-1, 0, 1};

  // `keys` are those of the features that have rows; all others are not heard. `weight` is 1 − γ.
  TensorShape(WordTemplates templates, std::span<const std::uint32_t> keys, int rank, double weight,
              std::shared_ptr<const WordVectors> vectors)
      : templates_(std::move(templates)), rows_(keys), vectors_(std::move(vectors)), rank_(rank), weight_(weight) {}

  std::vector<TableSize> tables() const override {
    const std::size_t words = std::size_t{row_count()} * static_cast<std::size_t>(stride());
    return {{"tensor_heads", words},
            {"tensor_modifiers", words},
            {"tensor_arcs", static_cast<std::size_t>(arc_slots * stride())}};
  }
  std::unique_ptr<Scorer> make() const override;
  bool is_learned() const override { return true; }
  int factors() const override { return 3; }

  const WordTemplates& templates() const { return templates_; }
  const WordVectors& vectors() const { return *vectors_; }
  int rank() const { return rank_; }
  double weight() const { return weight_; }
  // Rows are padded with zeros to whole vectors of eight, and stay zero there.
  int stride() const { return (rank_ + 7) / 8 * 8; }
  // The bias, the features that have rows, and a row for each number in the vectors of a word and its neighbours.
  std::uint32_t row_count() const {
    return first_vector_row() + static_cast<std::uint32_t>(static_cast<int>(vector_offsets.size()) * vectors_->width);
  }
  std::uint32_t first_vector_row() const { return rows_.size() + 1; }
  static constexpr std::uint32_t bias_row = 0;

  // The row of a feature; that of the bias for one without a row of its own.
  std::uint32_t row_of(std::uint32_t key) const { return rows_.find(key); }
  // f(row) for the features of a word that have one, the bias first. Vectors are apart: they have values.
  template <class F>
  void for_each_row(const Atoms& atoms, int position, F f) const {
    f(std::uint32_t{bias_row});
    templates_.for_each_key(atoms, position, [&](std::uint32_t key) {
      if (const std::uint32_t row = row_of(key); row != bias_row) f(row);
    });
  }
  // f(first row, numbers) for the vectors of a word and its neighbours.
  template <class F>
  void for_each_vector(const Atoms& atoms, int position, F f) const {
    if (vectors_->width == 0) return;
    std::uint32_t row = first_vector_row();
    for (const int offset : vector_offsets) {
      if (const float* numbers = vectors_->find(atoms, position + offset)) f(row, numbers);
      row += static_cast<std::uint32_t>(vectors_->width);
    }
  }

 private:
  WordTemplates templates_;
  RowNumbers rows_;
  std::shared_ptr<const WordVectors> vectors_;
  int rank_;
  double weight_;
};

}  // namespace headwise::scoring
