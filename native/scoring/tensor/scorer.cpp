#include "scoring/tensor/scorer.hpp"

#include <cmath>
#include <limits>

#include "base/index.hpp"

namespace headwise::scoring {

void TensorScorer::read_words(const Atoms& atoms, const WeightTables& tables) {
  nodes_ = atoms.words() + 1;
  rows_.clear();
  vectors_.clear();
  row_begins_.assign(1, 0);
  vector_begins_.assign(1, 0);
  for (int word = 0; word < nodes_; ++word) {
    shape_->for_each_row(atoms, word, [&](std::uint32_t row) { rows_.push_back(row); });
    shape_->for_each_vector(atoms, word,
                            [&](std::uint32_t row, const float* numbers) { vectors_.push_back({row, numbers}); });
    row_begins_.push_back(rows_.size());
    vector_begins_.push_back(vectors_.size());
  }
  project(tables["tensor_heads"], heads_);
  project(tables["tensor_modifiers"], modifiers_);
  if (shape_->label_count() > 0) labels_ = tables["tensor_labels"];
}

void TensorScorer::read(const Atoms& atoms, const WeightTables& tables) {
  read_words(atoms, tables);
  const float* of_slots = tables["tensor_arcs"];
  distances_.assign(place(signed_distances), 0.0f);
  for (int k = 0; k < signed_distances; ++k)
    for (const int slot : {k & 1, k + 2})
      simd::add_scaled(of_slots + place(slot), 1.0f, shape_->stride(), distances_.data() + place(k));
}

void TensorScorer::read_for_labels(const Atoms& atoms, const WeightTables& tables) {
  if (shape_->label_count() == 0) return;
  read_words(atoms, tables);
}

void TensorScorer::project(const float* table, Numbers& words) const {
  words.assign(place(nodes_), 0.0f);
  for (int word = 0; word < nodes_; ++word) {
    const auto w = static_cast<std::size_t>(word);
    float* own = words.data() + place(word);
    simd::add_rows(table, rows_.data() + row_begins_[w], row_begins_[w + 1] - row_begins_[w], shape_->stride(), own);
    for (std::size_t v = vector_begins_[w]; v < vector_begins_[w + 1]; ++v)
      for (int k = 0; k < shape_->vector_width(); ++k) {
        const float* row = table + place(static_cast<int>(vectors_[v].row) + k);
        simd::add_scaled(row, vectors_[v].numbers[k], shape_->stride(), own);
      }
  }
}

void TensorScorer::add_arcs(std::span<double> scores) {
  const int stride = shape_->stride();
  scratch_.resize(place(signed_distances));
  for (int m = 1; m < nodes_; ++m) {
    for (int k = 0; k < signed_distances; ++k)
      simd::multiply_numbers(as_modifier(m), distances_.data() + place(k), stride, scratch_.data() + place(k));
    for (int h = 0; h < nodes_; ++h) {
      double& score = scores[at(h * nodes_ + m)];
      if (score == -std::numeric_limits<double>::infinity()) continue;
      const float* of_modifier = scratch_.data() + place(signed_distance(h, m));
      score += shape_->weight() * static_cast<double>(simd::sum_of_product(as_head(h), of_modifier, stride));
    }
  }
}

const float* TensorScorer::product_of_arc(int m) {
  scratch_.resize(place(1));
  const int head = tree_[at(m) - 1];
  simd::multiply_numbers(as_head(head), as_modifier(m), shape_->stride(), scratch_.data());
  return scratch_.data();
}

void TensorScorer::add_labels(int m, const LabelCandidates& candidates, float* scores) {
  if (shape_->label_count() == 0) return;
  const float* product = product_of_arc(m);
  const auto weight = static_cast<float>(shape_->weight());
  for (const int label : candidates.labels)
    scores[label] += weight * simd::sum_of_product(product, labels_ + place(label), shape_->stride());
}

void TensorScorer::list_label_gradient(int m, int label, double amount, std::uint32_t begin, FeatureSink& sink) {
  if (shape_->label_count() == 0) return;
  product_of_arc(m);
  const auto stride = static_cast<std::size_t>(shape_->stride());
  for (std::size_t i = 0; i < stride; ++i) scratch_[i] *= static_cast<float>(shape_->weight() * amount);
  sink.add_row(begin + static_cast<std::uint32_t>(place(label)), {scratch_.data(), stride});
}

// The derivative of Σ amount · s(h → m) by the rows of each word is that by what they add up to.
void TensorScorer::list_arc_gradient(std::span<const double> amounts, double negligible, std::uint32_t begin,
                                     FeatureSink& sink) {
  const int stride = shape_->stride();
  const auto wanted = [&](int factor) { return sink.factor() == FeatureSink::every_factor || sink.factor() == factor; };
  const auto reset = [&](Numbers& numbers, std::vector<std::uint8_t>& moved, int rows) {
    numbers.assign(place(rows), 0.0f);
    moved.assign(static_cast<std::size_t>(rows), 0);
  };
  reset(head_gradients_, moved_heads_, nodes_);
  reset(modifier_gradients_, moved_modifiers_, nodes_);
  reset(distance_gradients_, moved_distances_, signed_distances);
  for (int m = 1; m < nodes_; ++m)
    for (int h = 0; h < nodes_; ++h) {
      const double exact = amounts[at(h * nodes_ + m)];
      if (h == m || !(std::abs(exact) > negligible)) continue;
      const auto amount = static_cast<float>(shape_->weight() * exact);
      const int distance = signed_distance(h, m);
      moved_heads_[at(h)] = moved_modifiers_[at(m)] =
          moved_distances_[at(distance)] = 1;
      if (wanted(0))
        simd::add_product_of(as_modifier(m), of_distance(h, m), amount, stride, head_gradients_.data() + place(h));
      if (wanted(1))
        simd::add_product_of(as_head(h), of_distance(h, m), amount, stride, modifier_gradients_.data() + place(m));
      if (wanted(2))
        simd::add_product_of(as_head(h), as_modifier(m), amount, stride, distance_gradients_.data() + place(distance));
    }
  const auto table = static_cast<std::uint32_t>(shape_->row_count()) * static_cast<std::uint32_t>(stride);
  if (wanted(0)) list_words(head_gradients_, moved_heads_, begin, sink);
  if (wanted(1)) list_words(modifier_gradients_, moved_modifiers_, begin + table, sink);
  if (!wanted(2)) return;
  for (int k = 0; k < signed_distances; ++k)
    if (moved_distances_[at(k)])
      for (const int slot : {k & 1, k + 2})
        sink.add_row(begin + 2 * table + static_cast<std::uint32_t>(slot * stride),
                     {distance_gradients_.data() + place(k), static_cast<std::size_t>(stride)});
}

void TensorScorer::list_words(const Numbers& gradients, std::span<const std::uint8_t> moved, std::uint32_t begin,
                              FeatureSink& sink) {
  const auto stride = static_cast<std::size_t>(shape_->stride());
  const auto at_row = [&](std::uint32_t row) { return begin + row * static_cast<std::uint32_t>(stride); };
  scratch_.resize(stride);
  for (std::size_t w = 0; w < moved.size(); ++w) {
    if (!moved[w]) continue;
    const float* own = gradients.data() + w * stride;
    for (std::size_t k = row_begins_[w]; k < row_begins_[w + 1]; ++k) sink.add_row(at_row(rows_[k]), {own, stride});
    for (std::size_t v = vector_begins_[w]; v < vector_begins_[w + 1]; ++v)
      for (int k = 0; k < shape_->vector_width(); ++k) {
        std::fill(scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(stride), 0.0f);
        simd::add_scaled(own, vectors_[v].numbers[k], static_cast<int>(stride), scratch_.data());
        sink.add_row(at_row(vectors_[v].row + static_cast<std::uint32_t>(k)), {scratch_.data(), stride});
      }
  }
}

}  // namespace headwise::scoring
