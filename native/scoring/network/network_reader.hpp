// Reads sentences with a network, those that nobody has read yet, several at a time where they are expected. One for each
// thread.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "scoring/network/encoded_sentences.hpp"
#include "scoring/network/shape.hpp"

namespace headwise::scoring {

// `Numbers` says which network this is, and what its tables are.
template <class Numbers>
class NetworkReader {
 public:
  using Tables = typename Numbers::Tables;
  using States = typename Numbers::Network::States;
  using KeptStates = std::shared_ptr<const States>;

  // The shape and what is kept must stay where they are.
  NetworkReader(const NetworkShape& shape, EncodedSentences& kept, std::shared_ptr<PiecesOfWords> pieces)
      : shape_(&shape), kept_(&kept), network_(shape), pieces_of_words_(std::move(pieces)) {}

  // Layers are wider than caches, so a position of several sentences takes hardly longer than that of one.
  void expect(std::span<const Atoms> sentences, const Tables& tables) {
    expected_.clear();
    std::vector<Expected> chosen;
    for (const Atoms& atoms : sentences) {
      if (atoms.words() == 0 || atoms.words() >= longest_expected) continue;
      list_known(atoms, tables);
      if (auto states = kept_states()) {
        expected_.push_back({atoms.reading(), key_, std::move(states)});
      } else {
        chosen.push_back({atoms.reading(), key_, nullptr});
      }
    }
    if (chosen.size() < 2) return;
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const Expected& a, const Expected& b) { return a.positions() > b.positions(); });
    pieces_.clear();
    for (const Expected& one : chosen) pieces_.push_back({&one.key.known, 0, one.positions()});
    network_.encode(pieces_, tables);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      States states = new_states(chosen[i].positions());
      network_.copy_states(static_cast<int>(i), 0, states);
      chosen[i].states = keep(chosen[i].key, std::move(states));
      expected_.push_back(std::move(chosen[i]));
    }
  }

  // What is known of the words decides which of the sentences this is: others may have annotated it since.
  KeptStates read(const Atoms& atoms, const Tables& tables) {
    for (const Expected& one : expected_)
      if (one.reading == atoms.reading() && one.reading != 0 && one.key.tables == Numbers::identity(tables))
        return one.states;
    list_known(atoms, tables);
    for (const Expected& one : expected_)
      if (one.key == key_) return one.states;
    if (auto states = kept_states()) return states;
    return keep(key_, encode(tables));
  }

 private:
  static constexpr int longest_expected = 200;  // words: longer sentences are quick enough alone
  static constexpr int longest_whole = 1001;    // positions of a sentence that is not read in pieces

  struct Expected {
    std::uint64_t reading;  // of its atoms
    EncodedSentences::Key key;
    KeptStates states;
    int positions() const { return key.known.positions(); }
  };

  void list_known(const Atoms& atoms, const Tables& tables) {
    shape_->vocabulary.list(atoms, *pieces_of_words_, key_.known);
    key_.tables = Numbers::identity(tables);
  }
  // Of the sentence that was listed last, if somebody has read it.
  KeptStates kept_states() const { return as_own(kept_->find(key_)); }
  KeptStates keep(const EncodedSentences::Key& key, States states) {
    auto kept = std::make_shared<const std::variant<Matrix, ByteRows>>(std::move(states));
    kept_->add(key, kept);
    return as_own(std::move(kept));
  }
  // Tables are part of the key, so nobody else has put states of another kind there.
  static KeptStates as_own(EncodedSentences::States states) {
    const States* own = states ? &std::get<States>(*states) : nullptr;
    return {std::move(states), own};
  }
  States new_states(int positions) const {
    States states;
    states.resize(positions, 2 * shape_->widths.lstm);
    return states;
  }
  // One sentence; of over a thousand words in pieces that know nothing of each other.
  States encode(const Tables& tables) {
    const int length = key_.known.positions(), piece = length <= longest_whole ? length : longest_piece;
    pieces_.clear();
    for (int begin = 0; begin < length; begin += piece)
      pieces_.push_back({&key_.known, begin, std::min(piece, length - begin)});
    network_.encode(pieces_, tables);
    States states = new_states(length);
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      network_.copy_states(static_cast<int>(i), pieces_[i].begin, states);
    return states;
  }

  const NetworkShape* shape_;
  EncodedSentences* kept_;
  typename Numbers::Network network_;
  std::shared_ptr<PiecesOfWords> pieces_of_words_;
  EncodedSentences::Key key_;
  std::vector<KnownPiece> pieces_;
  // Those of this thread, which others cannot crowd out.
  std::vector<Expected> expected_;
};

}  // namespace headwise::scoring
