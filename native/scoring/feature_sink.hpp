// Where features go, as places in a weight table, with the amount that each counts.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <stdexcept>

namespace headwise::scoring {

class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  virtual void add(std::span<const std::uint32_t> indices, double amount) = 0;
  // Neighbouring weights from `begin` on, each with an amount of its own: of scores that are no sums of weights.
  virtual void add_row(std::uint32_t /*begin*/, std::span<const float> /*amounts*/) {
    throw std::logic_error("this learner takes features only");
  }

  // A score that is a product of sums is linear in the weights of one factor alone. Who needs that says which is wanted.
  static constexpr int every_factor = -1;
  virtual int factor() const { return every_factor; }
};

}  // namespace headwise::scoring
