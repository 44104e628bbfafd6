// What a low-rank tensor computes, without its weights (Lei, Xin, Zhang, Barzilay and Jaakkola 2014): the features of a
// word, as rows of tables that are added up, and the rank.
//
//   s(h → m) = (1 − γ) Σᵢ [U φ_h]ᵢ [V φ_m]ᵢ [W φ_hm]ᵢ        (their equation 2)
//
// The label of an arc can be a part of φ_hm too: its row of W then scores the label over the finished tree,
//
//   s(l | h → m) = (1 − γ) Σᵢ [U φ_h]ᵢ [V φ_m]ᵢ [W_l]ᵢ
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
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fields.hpp"
#include "base/flat_map.hpp"
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

struct TensorSizes {
  int rank = 0;
  double weight = 0;  // 1 − γ
  int vectors = 0;    // numbers of the vectors that come with words; 0: they have none
  int labels = 0;     // that have rows

  static constexpr auto fields() {
    using S = TensorSizes;
    return std::tuple(required("rank", &S::rank), required("weight", &S::weight), field("vectors", &S::vectors),
                      field("labels", &S::labels));
  }
};

class TensorShape final : public ScorerShape {
 public:
  // The vectors of a word and of its neighbours are features of it.
  static constexpr std::array vector_offsets = {-1, 0, 1};

  // `keys` are those of the features that have rows; all others count nothing.
  TensorShape(WordTemplates templates, std::span<const std::uint32_t> keys, const TensorSizes& sizes)
      : templates_(std::move(templates)), sizes_(sizes) {
    check_fields("tensor", sizes);
    base::check(limit("tensor.features"), static_cast<double>(keys.size()));
    rows_.reserve(keys.size());
    for (const std::uint32_t key : keys) {
      std::uint32_t& row = rows_[key];
      if (row) throw std::invalid_argument("the vocabulary of a tensor names a feature twice");
      row = static_cast<std::uint32_t>(rows_.size());
    }
  }

  std::vector<TableSize> tables() const override {
    const std::size_t words = std::size_t{row_count()} * static_cast<std::size_t>(stride());
    std::vector<TableSize> all = {{"tensor_heads", words},
                                  {"tensor_modifiers", words},
                                  {"tensor_arcs", static_cast<std::size_t>(arc_slots * stride())}};
    if (sizes_.labels > 0)
      all.push_back({"tensor_labels", static_cast<std::size_t>(sizes_.labels * stride()), /*of_labels=*/true});
    return all;
  }
  std::unique_ptr<Scorer> make() const override;
  bool is_learned() const override { return true; }
  int factors() const override { return 3; }
  void check(int label_count) const override {
    if (sizes_.labels != 0 && sizes_.labels != label_count)
      throw std::invalid_argument("the tensor has rows for another number of labels");
  }

  const WordTemplates& templates() const { return templates_; }
  int vector_width() const { return sizes_.vectors; }
  int label_count() const { return sizes_.labels; }
  int rank() const { return sizes_.rank; }
  double weight() const { return sizes_.weight; }
  // Rows are padded with zeros to whole vectors of eight, and stay zero there.
  int stride() const { return (sizes_.rank + 7) / 8 * 8; }
  // The bias, the features that have rows, and a row for each number in the vectors of a word and its neighbours.
  std::uint32_t row_count() const {
    return first_vector_row() + static_cast<std::uint32_t>(static_cast<int>(vector_offsets.size()) * sizes_.vectors);
  }
  std::uint32_t first_vector_row() const { return static_cast<std::uint32_t>(rows_.size()) + 1; }
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
    if (sizes_.vectors == 0) return;
    std::uint32_t row = first_vector_row();
    for (const int offset : vector_offsets) {
      if (const float* numbers = atoms.vector(position + offset)) f(row, numbers);
      row += static_cast<std::uint32_t>(sizes_.vectors);
    }
  }

 private:
  WordTemplates templates_;
  FlatMap<std::uint32_t> rows_;  // numbers of rows, counted from 1 in the order of the keys
  TensorSizes sizes_;
};

}  // namespace headwise::scoring
