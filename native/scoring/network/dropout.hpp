// Dropout (Srivastava et al. 2014): in training, numbers are left out at random, and the others take their place. The
// same columns are left out at all positions of a sentence (Gal and Ghahramani 2016).
#pragma once
#include "rooms.hpp"
#include "scoring/network/matrix.hpp"
#include "scoring/network/packed_sentences.hpp"
#include "base/random.hpp"

namespace headwise::scoring {

class Dropout {
 public:
  Dropout(double rate, Random& random) : rate_(rate), random_(&random) {}

  void draw(int sentences, int columns, Matrix& mask) {
    mask.reset(sentences, columns);
    const auto kept = static_cast<float>(1.0 / (1.0 - rate_));
    for (int s = 0; s < sentences; ++s)
      for (int c = 0; c < columns; ++c) mask.row(s)[c] = random_->uniform() < rate_ ? 0.0f : kept;
  }
  Random& random() { return *random_; }

 private:
  double rate_;
  Random* random_;
};

inline void multiply_by_mask(const PackedSentences& sentences, const Matrix& mask, MatrixOut x) {
  for (int t = 0; t < sentences.positions(); ++t)
    for (int s = 0; s < sentences.active(t); ++s) {
      float* row = x.row(sentences.row(s, t));
      const float* by = mask.row(s);
      for (int c = 0; c < x.columns; ++c) row[c] *= by[c];
    }
}

}  // namespace headwise::scoring
