// Where features go, as places in a weight table, with the amount that each counts.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>

namespace headwise::scoring {

class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  virtual void add(std::span<const std::uint32_t> indices, double amount) = 0;
};

}  // namespace headwise::scoring
