// What a network has made of the sentences that it read last. Whoever reads one of them again, a parser after a tagger or
// another thread, takes it from here. Reading twice gives the same bytes, so nothing depends on what is kept.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/hashing.hpp"
#include "scoring/network/byte_rows.hpp"
#include "scoring/network/matrix.hpp"
#include "scoring/network/shape.hpp"

namespace headwise::scoring {

class EncodedSentences {
 public:
  struct Key {
    KnownSentence known;
    const void* tables = nullptr;  // of the network
    bool operator==(const Key&) const = default;
  };
  // A row for each position, as the network has them.
  using States = std::shared_ptr<const std::variant<Matrix, ByteRows>>;

  // Nothing where it is not kept.
  States find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = states_.find(key);
    return found == states_.end() ? nullptr : found->second;
  }
  void add(const Key& key, States states) {
    const std::lock_guard lock(mutex_);
    const auto [kept, is_new] = states_.emplace(key, std::move(states));
    if (!is_new) return;
    by_age_.push_back(&kept->first);
    numbers_ += size(kept->second);
    while (numbers_ > most_numbers_ && by_age_.size() > 1) {
      const auto oldest = states_.find(*by_age_.front());
      by_age_.pop_front();
      numbers_ -= size(oldest->second);
      states_.erase(oldest);
    }
  }
  // From now on there is somebody who comes a whole batch later.
  void keep_for_others() {
    const std::lock_guard lock(mutex_);
    most_numbers_ = std::size_t{1} << 24;
  }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = mix(static_cast<std::uint64_t>(key.known.ends.size()));
      for (const int row : key.known.rows) hash = combine(hash, static_cast<std::uint64_t>(row));
      return static_cast<std::size_t>(mix(hash));
    }
  };
  static std::size_t size(const States& states) {
    return std::visit(
        [](const auto& s) { return static_cast<std::size_t>(s.rows()) * static_cast<std::size_t>(s.columns()); },
        *states);
  }

  mutable std::mutex mutex_;
  std::unordered_map<Key, States, Hash> states_;
  std::deque<const Key*> by_age_;
  std::size_t numbers_ = 0, most_numbers_ = std::size_t{1} << 22;
};

}  // namespace headwise::scoring
