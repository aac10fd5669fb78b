// Which items of a list are open, held or done, for workers that may die: what a dead one held is open again, and
// what is done twice, because somebody thought dead was only slow, counts once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cuset::judge {

// Safe to call from several threads.
class WorkQueue {
 public:
  explicit WorkQueue(size_t items);

  // The first open item, now held by `worker`; nothing where none is open.
  std::optional<size_t> take(const std::string& worker);
  // The same, but waits for an item that others may give back; nothing where all are done, after stop() and after an
  // interrupt (base/interrupt.h).
  std::optional<size_t> wait_and_take(const std::string& worker);

  // False where it was done before.
  bool finish(size_t item);
  // What `worker` holds is open again. Throws Error where an item was given back `most_deaths` times: it may be what
  // ends its workers.
  void give_back(const std::string& worker, int most_deaths);
  // wait_and_take() returns nothing from now on.
  void stop();

  bool is_done() const;
  bool is_stopped() const;
  size_t open() const;
  size_t held_by(const std::string& worker) const;

 private:
  std::optional<size_t> take_locked(const std::string& worker);

  const size_t items_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::set<size_t> open_;                 // in the order of the list: what was given back goes first
  std::map<size_t, std::string> holder_;  // by item
  std::map<size_t, int> deaths_;          // by item: how many workers died holding it
  std::vector<bool> is_item_done_;
  size_t done_ = 0;
  bool is_stopped_ = false;
};

}  // namespace cuset::judge
