// Reads sentences with a network, those that nobody has read yet, several at a time where they are expected. One for each
// thread.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "scoring/network/encoded_sentences.hpp"
#include "scoring/network/shape.hpp"

namespace headwise::scoring {

// `Numbers` says which network this is, and what its tables are.
template <class Numbers>
class NetworkReader {
 public:
  using Tables = typename Numbers::Tables;

  // Both must stay where they are.
  NetworkReader(const NetworkShape& shape, EncodedSentences& kept) : shape_(&shape), kept_(&kept), network_(shape) {}

  // Layers are wider than caches, so a position of several sentences takes hardly longer than that of one.
  void expect(std::span<const Atoms> sentences, const Tables& tables) {
    expected_.clear();
    std::vector<EncodedSentences::Key> chosen;
    for (const Atoms& atoms : sentences) {
      if (atoms.words() == 0 || atoms.words() >= longest_expected) continue;
      list_known(atoms, tables);
      if (auto states = kept_->find(key_)) {
        expected_.emplace_back(key_, std::move(states));
      } else {
        chosen.push_back(key_);
      }
    }
    if (chosen.size() < 2) return;
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const auto& a, const auto& b) { return a.known.positions() > b.known.positions(); });
    pieces_.clear();
    for (const auto& key : chosen) pieces_.push_back({&key.known, 0, key.known.positions()});
    network_.encode(pieces_, tables);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      auto states = std::make_shared<Matrix>();
      network_.states_of(static_cast<int>(i), *states);
      kept_->add(chosen[i], states);
      expected_.emplace_back(std::move(chosen[i]), std::move(states));
    }
  }

  // What is known of the words decides which of the sentences this is: others may have annotated it since.
  EncodedSentences::States read(const Atoms& atoms, const Tables& tables) {
    list_known(atoms, tables);
    for (const auto& [key, states] : expected_)
      if (key == key_) return states;
    if (auto states = kept_->find(key_)) return states;
    auto states = std::make_shared<Matrix>();
    encode(*states, tables);
    kept_->add(key_, states);
    return states;
  }

 private:
  static constexpr int longest_expected = 200;  // words: longer sentences are quick enough alone
  static constexpr int longest_whole = 1001;    // positions of a sentence that is not read in pieces

  void list_known(const Atoms& atoms, const Tables& tables) {
    shape_->vocabulary.list(atoms, key_.known);
    key_.tables = Numbers::identity(tables);
  }
  // One sentence; of over a thousand words in pieces that know nothing of each other.
  void encode(Matrix& states, const Tables& tables) {
    const int length = key_.known.positions(), piece = length <= longest_whole ? length : longest_piece;
    pieces_.clear();
    for (int begin = 0; begin < length; begin += piece)
      pieces_.push_back({&key_.known, begin, std::min(piece, length - begin)});
    network_.encode(pieces_, tables);
    states.reset(length, 2 * shape_->widths.lstm);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      network_.states_of(static_cast<int>(i), own_);
      for (int t = 0; t < own_.rows(); ++t)
        std::copy_n(own_.row(t), own_.columns(), states.row(pieces_[i].begin + t));
    }
  }

  const NetworkShape* shape_;
  EncodedSentences* kept_;
  typename Numbers::Network network_;
  EncodedSentences::Key key_;
  std::vector<KnownPiece> pieces_;
  Matrix own_;
  // Those of this thread, which others cannot crowd out.
  std::vector<std::pair<EncodedSentences::Key, EncodedSentences::States>> expected_;
};

}  // namespace headwise::scoring
