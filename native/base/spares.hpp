// Things that are kept, with what they hold, for whoever needs one next, in any thread.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace headwise::base {

template <class Thing>
class Spares : public std::enable_shared_from_this<Spares<Thing>> {
 public:
  // One that was given back, or a new one. It comes back when nobody holds it any more.
  std::shared_ptr<Thing> take() {
    std::unique_ptr<Thing> taken;
    {
      const std::lock_guard lock(mutex_);
      if (!things_.empty()) {
        taken = std::move(things_.back());
        things_.pop_back();
      }
    }
    if (!taken) taken = std::make_unique<Thing>();
    return {taken.release(), [self = this->shared_from_this()](Thing* thing) { self->give_back(thing); }};
  }

 private:
  void give_back(Thing* thing) {
    std::unique_ptr<Thing> given(thing);
    const std::lock_guard lock(mutex_);
    things_.push_back(std::move(given));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Thing>> things_;
};

}  // namespace headwise::base
