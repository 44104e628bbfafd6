// The weights of a network in bytes: where they lie in the tables of a model, and how they are made of floats.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/simd/byte_product.hpp"
#include "scoring/network/shape.hpp"

namespace headwise::scoring {

struct ByteTables {
  const std::uint8_t* network = nullptr;  // matrices, see byte_product.hpp
  const float* network_scales = nullptr;  // the scale of each column of each matrix; and every bias
  const std::uint8_t* vectors = nullptr;  // with 128 added
  const float* vector_scales = nullptr;   // of each atom
};

class ByteWeights : public NetworkLayout<simd::ByteMatrix, const float*> {
 public:
  using Lstm = LstmWeightsOf<simd::ByteMatrix, const float*>;
  using Layer = AffineOf<simd::ByteMatrix, const float*>;

  ByteWeights(const NetworkShape& shape, const std::uint8_t* bytes, const float* floats) {
    lay_out(
        shape,
        [&](int inner, int columns) -> simd::ByteMatrix {
          const std::size_t begin = bytes_;
          bytes_ += simd::packed_bytes(inner, columns);
          return {bytes ? bytes + begin : nullptr, take(floats, columns), inner, columns};
        },
        [&](int columns) { return take(floats, columns); });
  }
  std::size_t byte_count() const { return bytes_; }
  std::size_t float_count() const { return floats_; }

 private:
  const float* take(const float* floats, int columns) {
    const std::size_t begin = floats_;
    floats_ += static_cast<std::size_t>(simd::padded_byte_columns(columns));
    return floats ? floats + begin : nullptr;
  }
  std::size_t bytes_ = 0, floats_ = 0;
};

// The tables of a network, in bytes.
struct QuantizedNetwork {
  std::vector<std::uint8_t> network;
  std::vector<float> network_scales;
  std::vector<std::uint8_t> vectors;
  std::vector<float> vector_scales;
};

// f(of a, of b) for all matrices and all rows of two layouts.
template <class A, class B, class Matrices, class Rows>
void for_each_pair(const A& a, const B& b, Matrices matrices, Rows rows) {
  for (std::size_t l = 0; l < a.layers.size(); ++l)
    for (std::size_t d = 0; d < 2; ++d) {
      matrices(a.layers[l][d].input, b.layers[l][d].input);
      matrices(a.layers[l][d].recurrent, b.layers[l][d].recurrent);
      rows(a.layers[l][d].bias, b.layers[l][d].bias, b.layers[l][d].input.columns);
    }
  const auto affine = [&](const auto& x, const auto& y) {
    matrices(x.weights, y.weights);
    rows(x.bias, y.bias, y.weights.columns);
  };
  affine(a.head, b.head);
  affine(a.modifier, b.modifier);
  affine(a.attraction, b.attraction);
  affine(a.label_head, b.label_head);
  affine(a.label_modifier, b.label_modifier);
  affine(a.label, b.label);
  if (b.tag.weights.columns > 0) {
    affine(a.tag_state, b.tag_state);
    affine(a.tag, b.tag);
  }
  matrices(a.given, b.given);
}

// The scale of some numbers: the largest becomes 127 or -127.
template <class NumberAt>
float byte_scale(int count, NumberAt number) {
  float most = 0;
  for (int i = 0; i < count; ++i) most = std::max(most, std::abs(number(i)));
  return most / static_cast<float>(simd::kByteLimit);
}
inline std::uint8_t to_stored_byte(float number, float scale) {
  const int limit = simd::kByteLimit;
  const long whole = scale > 0 ? std::lrint(number / scale) : 0;
  return static_cast<std::uint8_t>(std::clamp<long>(whole, -limit, limit) + simd::kByteZero);
}

// Of a matrix as byte_product.hpp stores it; columns beyond its last are left alone.
inline void quantize(MatrixIn from, std::uint8_t* bytes, float* scales) {
  for (int c = 0; c < from.columns; ++c) {
    scales[c] = byte_scale(from.rows, [&](int r) { return from(r, c); });
    for (int r = 0; r < from.rows; ++r)
      bytes[simd::packed_byte(from.rows, r, c)] = to_stored_byte(from(r, c), scales[c]);
  }
}

inline QuantizedNetwork quantized(const NetworkShape& shape, const float* weights, const float* vectors) {
  const ByteWeights sizes(shape, nullptr, nullptr);
  QuantizedNetwork made;
  made.network.assign(sizes.byte_count(), simd::kByteZero);
  made.network_scales.assign(sizes.float_count(), 0.0f);
  std::uint8_t* bytes = made.network.data();
  float* floats = made.network_scales.data();
  for_each_pair(
      NetworkWeights<const float>(shape, weights), ByteWeights(shape, bytes, floats),
      [&](const MatrixIn& from, const simd::ByteMatrix& to) {
        quantize(from, bytes + (to.bytes - made.network.data()), floats + (to.scales - made.network_scales.data()));
      },
      [&](const float* from, const float* to, int columns) {
        std::copy_n(from, columns, floats + (to - made.network_scales.data()));
      });
  const int width = shape.widths.vectors;
  made.vectors.resize(shape.vector_count());
  for (int row = 0; row < shape.vocabulary.size(); ++row) {
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(row) * width;
    const float scale = byte_scale(width, [&](int c) { return vectors[begin + c]; });
    made.vector_scales.push_back(scale);
    std::transform(vectors + begin, vectors + begin + width, made.vectors.begin() + begin,
                   [&](float number) { return to_stored_byte(number, scale); });
  }
  return made;
}

// The floats that the bytes stand for: all weights of layers, then all vectors.
inline std::pair<std::vector<float>, std::vector<float>> restored(const NetworkShape& shape, const ByteTables& tables) {
  std::vector<float> weights(network_weight_count(shape)), vectors(shape.vector_count());
  for_each_pair(
      NetworkWeights<float>(shape, weights.data()), ByteWeights(shape, tables.network, tables.network_scales),
      [](const MatrixOut& to, const simd::ByteMatrix& from) {
        for (int r = 0; r < to.rows; ++r)
          for (int c = 0; c < to.columns; ++c)
            to(r, c) =
                static_cast<float>(from.bytes[simd::packed_byte(to.rows, r, c)] - simd::kByteZero) * from.scales[c];
      },
      [](float* to, const float* from, int columns) { std::copy_n(from, columns, to); });
  const auto width = static_cast<std::size_t>(shape.widths.vectors);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = static_cast<float>(tables.vectors[i] - simd::kByteZero) * tables.vector_scales[i / width];
  return {std::move(weights), std::move(vectors)};
}

}  // namespace headwise::scoring
