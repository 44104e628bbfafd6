// Learns a network (network/network.hpp): every word is to find its head, its label and its tags by itself, by Adam
// (Kingma and Ba 2015) with a rate that falls to zero.
//
// A batch is read in two halves, each with gradients of its own, that are added in their order: so the number of
// threads changes nothing.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "learning/gradient_steps.hpp"
#include "learning/tag_pieces.hpp"
#include "learning/training_example.hpp"
#include "scoring/network/network.hpp"
#include "base/index.hpp"
#include "base/threads.hpp"

namespace headwise::learning {

struct NetworkLearning {
  double rate = 2e-3;
  double dropout = 0.25;
  double forgetting = 0.25;  // a word seen n times is read as unknown with probability forgetting / (forgetting + n)
  double decay = 0.9;        // of both of Adam's means
  double longest_gradient = 5.0;  // longer ones are cut
  int batch = 16;            // sentences
  std::int64_t total = 1;    // sentences that will have been read when the rate is zero
  std::uint64_t seed = 1;

  static constexpr auto fields() {
    using L = NetworkLearning;
    return std::tuple(required("total", &L::total), required("seed", &L::seed), field("rate", &L::rate),
                      field("dropout", &L::dropout), field("batch", &L::batch));
  }
};

// The atoms that occur at least so often, as a vocabulary wants them; without `annotations`, those of bare words.
inline std::vector<std::int64_t> collect_vocabulary(std::span<const TrainingExample* const> examples, int at_least,
                                                    int longest_piece, int pieces_at_least, bool annotations) {
  std::unordered_map<std::uint64_t, int> counts, piece_counts;
  for (const TrainingExample* example : examples)
    for (int t = 0; t <= example->atoms.words(); ++t)
      NetworkVocabulary::for_each_key(example->atoms, t, longest_piece, [&](Attribute a, std::uint64_t key) {
        if (annotations || !NetworkVocabulary::is_annotation(a))
          ++(a == Attribute::form ? piece_counts : counts)[key];
      });
  std::vector<std::int64_t> keys;
  for (const auto& [key, count] : counts)
    if (count >= at_least) keys.push_back(static_cast<std::int64_t>(key));
  for (const auto& [key, count] : piece_counts)
    if (count >= pieces_at_least) keys.push_back(static_cast<std::int64_t>(key));
  std::sort(keys.begin(), keys.end());
  return keys;
}

// One array of weights that follows its gradient.
class AdamWeights {
 public:
  explicit AdamWeights(std::size_t size) : values(size), gradient(size), mean_(size), spread_(size) {}

  void step(std::size_t begin, std::size_t end, double rate, double decay, double scale) {
    const auto b = static_cast<float>(decay), g = static_cast<float>(scale), r = static_cast<float>(rate);
    for (std::size_t i = begin; i < end; ++i) {
      const float x = gradient[i] * g;
      gradient[i] = 0;
      mean_[i] = b * mean_[i] + (1 - b) * x;
      spread_[i] = b * spread_[i] + (1 - b) * x * x;
      values[i] -= r * mean_[i] / (std::sqrt(spread_[i]) + 1e-8f);
    }
  }
  double square(std::size_t begin, std::size_t end) const {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = static_cast<double>(gradient[i]);
      sum += x * x;
    }
    return sum;
  }
  // Values and means, to go on from later.
  std::array<Floats*, 3> tables() { return {&values, &mean_, &spread_}; }

  Floats values, gradient;

 private:
  Floats mean_, spread_;
};

class NetworkTrainer {
 public:
  // `tag_pieces` of each tag that the network scores.
  NetworkTrainer(const NetworkShape& shape, const NetworkLearning& learning, TagPieces tag_pieces = {})
      : shape_(shape),
        learning_(learning),
        tag_pieces_(std::move(tag_pieces)),
        weights_(network_weight_count(shape)),
        vectors_(shape.vector_count()),
        pieces_(tag_pieces_.count() * at(shape.widths.tags + 1)),
        counts_(static_cast<std::size_t>(shape.vocabulary.size())),
        touched_(counts_.size()),
        halves_{Half(shape_), Half(shape_)} {
    if (!(learning.dropout >= 0 && learning.dropout < 1))
      throw std::invalid_argument("dropout must be from 0 to below 1");
    if (learning.batch < 2) throw std::invalid_argument("a batch has at least two sentences");
    if (tag_pieces_.tags() != shape.widths.tag_count) throw std::invalid_argument("tag_pieces: not those of each tag");
    start();
  }
  NetworkTrainer(const NetworkTrainer&) = delete;  // the halves point into this object

  // `tags` of its words, where the network scores tags; −1 is unknown.
  void add(const TrainingExample& example, std::vector<int> tags = {}) {
    if (tags.size() != (shape_.widths.tag_count > 0 ? at(example.atoms.words()) : 0))
      throw std::invalid_argument("tags: one for each word of a network that scores them");
    for (const int tag : tags)
      if (tag < unknown || tag >= shape_.widths.tag_count) throw std::invalid_argument("tags: out of range for the network");
    for (const int label : example.labels)
      if (label >= shape_.widths.label_count && shape_.widths.label_count > 0)
        throw std::invalid_argument("labels: out of range for the network");
    examples_.push_back(example);
    tags_.push_back(std::move(tags));
    for (int t = 1; t <= example.atoms.words(); ++t)
      shape_.vocabulary.for_each_row(example.atoms, t, [&](Attribute, int row) { ++counts_[at(row)]; });
  }

  // Sentences of a batch are of similar length; batches come in random order.
  TrainingCounts train(std::span<const std::int64_t> order, int threads) {
    const std::vector<std::int64_t> chosen = longest_first(order);
    const auto size = static_cast<std::size_t>(learning_.batch);
    std::vector<std::span<const std::int64_t>> batches;
    for (std::size_t begin = 0; begin < chosen.size(); begin += size)
      batches.push_back(std::span(chosen).subspan(begin, std::min(size, chosen.size() - begin)));
    Random random(learning_.seed, static_cast<std::uint64_t>(seen_));
    for (std::size_t i = batches.size(); i > 1; --i)
      std::swap(batches[i - 1], batches[static_cast<std::size_t>(random.uniform() * static_cast<double>(i))]);
    TrainingCounts counts;
    for (const auto batch : batches) train_batch(batch, threads, counts);
    return counts;
  }

  // −log p of heads, labels and tags of the examples, without dropout, and its gradient; for tests.
  double loss(std::span<const std::int64_t> order, Floats& of_weights, Floats& of_vectors) {
    read_half(halves_[0], longest_first(order), nullptr);
    of_weights = halves_[0].gradient;
    add_vector_gradient(halves_[0]);
    of_vectors = vectors_.gradient;
    std::fill(vectors_.gradient.begin(), vectors_.gradient.end(), 0.0f);
    for (const int row : touched_rows_) touched_[at(row)] = 0;
    touched_rows_.clear();
    return halves_[0].counts.loss;
  }

  AdamWeights& weights() { return weights_; }
  AdamWeights& vectors() { return vectors_; }
  AdamWeights& pieces() { return pieces_; }  // of tags
  std::int64_t& seen() { return seen_; }

 private:
  struct Half {
    explicit Half(const NetworkShape& shape) : network(shape), gradient(network_weight_count(shape)) {}
    Network network;
    Floats gradient;
    std::vector<std::pair<int, int>> read_vectors;  // (row of the table, row of the packed sentences)
    Matrix scores, labels, tags;
    TrainingCounts counts;
  };

  std::vector<std::int64_t> longest_first(std::span<const std::int64_t> order) const {
    std::vector<std::int64_t> chosen(order.begin(), order.end());
    const auto length = [&](std::int64_t i) { return examples_.at(static_cast<std::size_t>(i)).atoms.words(); };
    std::stable_sort(chosen.begin(), chosen.end(), [&](auto a, auto b) { return length(a) > length(b); });
    return chosen;
  }

  // Small random numbers; only the bilinear form of arcs starts from zero, and forget gates start open.
  void start() {
    Random random(learning_.seed, 0x57A27);
    const auto fill = [&](MatrixOut matrix, double limit) {
      for (int r = 0; r < matrix.rows; ++r)
        for (int c = 0; c < matrix.columns; ++c)
          matrix(r, c) = static_cast<float>((2 * random.uniform() - 1) * limit);
    };
    const NetworkWeights<float> weights(shape_, weights_.values.data());
    const int width = shape_.widths.lstm;
    for (const auto& layer : weights.layers)
      for (const auto& direction : layer) {
        fill(direction.input, 1 / std::sqrt(width));
        fill(direction.recurrent, 1 / std::sqrt(width));
        std::fill(direction.bias + width, direction.bias + 2 * width, 1.0f);
      }
    for (const Affine<float>* layer :
         {&weights.head, &weights.modifier, &weights.label_head, &weights.label_modifier, &weights.label})
      fill(layer->weights, 1 / std::sqrt(layer->weights.rows));
    if (shape_.widths.given > 0) fill(weights.given, 1 / std::sqrt(shape_.widths.given));
    fill({vectors_.values.data(), shape_.vocabulary.size(), shape_.widths.vectors, shape_.widths.vectors}, 0.5);
    if (shape_.widths.tags > 0) {
      const double limit = 1 / std::sqrt(weights.tag_state.weights.rows);
      const auto count = static_cast<int>(tag_pieces_.count());
      fill(weights.tag_state.weights, limit);
      fill({pieces_.values.data(), shape_.widths.tags, count, count}, limit);
      add_up_tags();
    }
  }

  // The weights of tags from those of their pieces, whose rows are the numbers of a vector, and last the bias.
  void add_up_tags() {
    for_each_row_of_tags(weights_.values, pieces_.values,
                         [&](float* of_tags, const float* of_pieces) { tag_pieces_.add_up(of_pieces, of_tags); });
  }
  template <class F>
  void for_each_row_of_tags(Floats& weights, Floats& pieces, F f) {
    if (shape_.widths.tags == 0) return;
    const Affine<float> tag = NetworkWeights<float>(shape_, weights.data()).tag;
    for (int c = 0; c <= shape_.widths.tags; ++c)
      f(c < shape_.widths.tags ? tag.weights.row(c) : tag.bias, pieces.data() + at(c) * tag_pieces_.count());
  }

  void train_batch(std::span<const std::int64_t> batch, int threads, TrainingCounts& counts) {
    const std::size_t middle = (batch.size() + 1) / 2;
    parallel_for(2, threads, [&](std::size_t half, int) {
      Random random(learning_.seed, Random::mix(static_cast<std::uint64_t>(seen_)) + half);
      Dropout dropout(learning_.dropout, random);
      read_half(halves_[half], half == 0 ? batch.first(middle) : batch.subspan(middle), &dropout);
    });
    std::uint64_t words = 0;
    for (Half& half : halves_) {
      words += half.counts.words;
      counts += half.counts;
      for (std::size_t i = 0; i < half.gradient.size(); ++i) weights_.gradient[i] += half.gradient[i];
      add_vector_gradient(half);
    }
    take_step(static_cast<double>(std::max<std::uint64_t>(1, words)));
    seen_ += static_cast<std::int64_t>(batch.size());
  }

  void add_vector_gradient(const Half& half) {
    const int width = shape_.widths.vectors;
    for (const auto& [row, from] : half.read_vectors) {
      if (!touched_[at(row)]) {
        touched_[at(row)] = 1;
        touched_rows_.push_back(row);
      }
      float* to = vectors_.gradient.data() + at(row) * at(width);
      const float* amount = half.network.vector_gradient().row(from);
      for (int c = 0; c < width; ++c) to[c] += amount[c];
    }
  }

  // Vectors move when they were read, and not otherwise.
  void take_step(double words) {
    const std::size_t width = at(shape_.widths.vectors);
    // Nothing is left in the gradient of tags, so their weights stay, until they are added up again.
    for_each_row_of_tags(weights_.gradient, pieces_.gradient, [&](float* of_tags, float* of_pieces) {
      tag_pieces_.hand_down(of_tags, of_pieces);
    });
    double square = weights_.square(0, weights_.values.size()) + pieces_.square(0, pieces_.values.size());
    for (const int row : touched_rows_) square += vectors_.square(at(row) * width, at(row) * width + width);
    const double norm = std::sqrt(square) / words;
    if (!std::isfinite(norm)) throw Diverged();
    const double scale = (norm > learning_.longest_gradient ? learning_.longest_gradient / norm : 1.0) / words;
    const auto total = static_cast<double>(std::max<std::int64_t>(1, learning_.total));
    const double rate = learning_.rate * std::max(0.0, 1.0 - static_cast<double>(seen_) / total);
    weights_.step(0, weights_.values.size(), rate, learning_.decay, scale);
    pieces_.step(0, pieces_.values.size(), rate, learning_.decay, scale);
    add_up_tags();
    for (const int row : touched_rows_) {
      vectors_.step(at(row) * width, at(row) * width + width, rate, learning_.decay, scale);
      touched_[at(row)] = 0;
    }
    touched_rows_.clear();
  }

  // Losses and gradients of some examples, longest first.
  void read_half(Half& half, std::span<const std::int64_t> chosen, Dropout* dropout) {
    half.counts = {};
    half.read_vectors.clear();
    std::fill(half.gradient.begin(), half.gradient.end(), 0.0f);
    if (chosen.empty()) return;
    std::vector<int> lengths;
    for (const std::int64_t i : chosen) lengths.push_back(examples_.at(static_cast<std::size_t>(i)).atoms.words() + 1);
    const PackedSentences sentences(lengths);
    Network& network = half.network;
    network.vectors().reset(sentences.rows(), shape_.widths.vectors);
    network.reset_given(sentences.rows());
    for (int s = 0; s < sentences.sentences(); ++s)
      for (int t = 0; t < sentences.length(s); ++t)
        read_vectors(half, example(chosen, s).atoms, t, sentences.row(s, t), dropout);
    network.read(sentences, weights_.values.data(), dropout);
    network.begin_gradient();
    const NetworkWeights<float> gradient(shape_, half.gradient.data());
    for (int s = 0; s < sentences.sentences(); ++s) {
      const TrainingExample& gold = example(chosen, s);
      network.score_arcs(s, half.scores);
      to_gradient(half.scores, 0, unknown);  // the root has no head
      for (int m = 1; m <= gold.atoms.words(); ++m) learn_head(half, m, gold.heads[at(m - 1)]);
      network.add_arc_gradient(s, half.scores);
      if (shape_.widths.label_count == 0) continue;
      network.score_labels(s, gold.heads, dropout, half.labels);
      for (int m = 1; m <= gold.atoms.words(); ++m)
        half.counts.loss +=
            to_gradient(half.labels, m - 1, gold.heads[at(m - 1)] < 0 ? unknown : gold.labels[at(m - 1)]);
      network.add_label_gradient(s, gold.heads, half.labels, gradient);
    }
    if (shape_.widths.tags > 0) learn_tags(half, chosen, sentences, dropout, gradient);
    network.end_gradient(gradient);
  }

  void learn_tags(Half& half, std::span<const std::int64_t> chosen, const PackedSentences& sentences, Dropout* dropout,
                  const NetworkWeights<float>& gradient) {
    half.network.score_tags(dropout, half.tags);
    for (int s = 0; s < sentences.sentences(); ++s) {
      const std::vector<int>& gold = tags_[at(chosen[at(s)])];
      for (int t = 0; t < sentences.length(s); ++t)
        half.counts.loss += to_gradient(half.tags, sentences.row(s, t), t == 0 ? unknown : gold[at(t - 1)]);
    }
    half.network.add_tag_gradient(half.tags, gradient);
  }

  void learn_head(Half& half, int m, int head) {
    if (head >= 0) {
      const float* row = half.scores.row(m);
      ++half.counts.words;
      half.counts.wrong_heads += std::max_element(row, row + half.scores.columns()) - row != head;
    }
    half.counts.loss += to_gradient(half.scores, m, head);
  }

  // A row of log-probabilities to the gradient of −log p(gold); returns that loss. The unknown costs nothing.
  static constexpr int unknown = -1;
  static double to_gradient(Matrix& scores, int row, int gold) {
    float* numbers = scores.row(row);
    if (gold < 0) {
      std::fill(numbers, numbers + scores.columns(), 0.0f);
      return 0;
    }
    const double loss = -static_cast<double>(numbers[gold]);
    for (int c = 0; c < scores.columns(); ++c) numbers[c] = std::exp(numbers[c]);
    numbers[gold] -= 1;
    return loss;
  }

  void read_vectors(Half& half, const Atoms& atoms, int position, int to, Dropout* dropout) {
    bool forgotten = false;
    shape_.vocabulary.for_each_row(atoms, position, [&](Attribute attribute, int row) {
      if (attribute == Attribute::lower && position > 0 && dropout)
        forgotten = dropout->random().uniform() * (learning_.forgetting + counts_[at(row)]) < learning_.forgetting;
      if (forgotten && NetworkVocabulary::names_the_word(attribute)) return;
      half.network.add_vector(vectors_.values.data(), row, to);
      half.read_vectors.emplace_back(row, to);
    });
    half.network.set_given(atoms.vector(position), to);
  }

  const TrainingExample& example(std::span<const std::int64_t> chosen, int s) const {
    return examples_[at(chosen[at(s)])];
  }

  NetworkShape shape_;
  NetworkLearning learning_;
  TagPieces tag_pieces_;
  std::vector<TrainingExample> examples_;
  std::vector<std::vector<int>> tags_;  // of the examples
  AdamWeights weights_, vectors_, pieces_;
  std::vector<int> counts_;  // of atoms in the examples
  std::vector<std::uint8_t> touched_;
  std::vector<int> touched_rows_;
  Half halves_[2];
  std::int64_t seen_ = 0;
};

}  // namespace headwise::learning
