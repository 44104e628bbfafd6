// A low-rank tensor as a scorer of arcs: what it says of a sentence, and how that changes with its tables.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "scoring/tensor/kernels.hpp"
#include "scoring/tensor/shape.hpp"

namespace headwise::scoring {

class TensorScorer final : public Scorer {
 public:
  explicit TensorScorer(const TensorShape& shape) : shape_(&shape) {}

  // U φ_h and V φ_m once a word, W φ_hm once a direction and distance.
  void read(const Atoms& atoms, const WeightTables& tables) override;
  void read_for_labels(const Atoms& atoms, const WeightTables& tables) override;
  void add_arcs(std::span<double> scores) override;
  void list_arc_gradient(std::span<const double> amounts, double negligible, std::uint32_t begin,
                         FeatureSink& sink) override;
  void read_tree(std::span<const int> heads) override { tree_.assign(heads.begin(), heads.end()); }
  void add_labels(int m, const LabelCandidates& candidates, float* scores) override;
  void list_label_gradient(int m, int label, double amount, std::uint32_t begin, FeatureSink& sink) override;

  // The numbers of the root (0) and of each word, as head and as modifier.
  const float* as_head(int word) const { return heads_.data() + place(word); }
  const float* as_modifier(int word) const { return modifiers_.data() + place(word); }

 private:
  using Numbers = simd::AlignedVector<float>;
  static constexpr int signed_distances = arc_slots - 2;

  std::size_t place(int row) const { return static_cast<std::size_t>(row) * static_cast<std::size_t>(shape_->stride()); }
  static int signed_distance(int h, int m) { return static_cast<int>(ArcSlots(h, m).distance) - 2; }
  const float* of_distance(int h, int m) const { return distances_.data() + place(signed_distance(h, m)); }
  void read_words(const Atoms& atoms, const WeightTables& tables);
  void project(const float* table, Numbers& words) const;
  // Uφ_h ∘ Vφ_m of the arc into m in the tree that was read.
  const float* product_of_arc(int m);
  void list_words(const Numbers& gradients, std::span<const std::uint8_t> moved, std::uint32_t begin, FeatureSink& sink);

  const TensorShape* shape_;
  int nodes_ = 0;
  // The rows of each word, one word after the other, and where those of each begin; the same of vectors.
  std::vector<std::uint32_t> rows_;
  std::vector<std::size_t> row_begins_;
  struct VectorRows {
    std::uint32_t row;
    const float* numbers;
  };
  std::vector<VectorRows> vectors_;
  std::vector<std::size_t> vector_begins_;
  Numbers heads_, modifiers_, distances_;
  Numbers head_gradients_, modifier_gradients_, distance_gradients_, scratch_;
  const float* labels_ = nullptr;
  std::vector<int> tree_;
  std::vector<std::uint8_t> moved_heads_, moved_modifiers_, moved_distances_;
};

inline std::unique_ptr<Scorer> TensorShape::make() const { return std::make_unique<TensorScorer>(*this); }

}  // namespace headwise::scoring
