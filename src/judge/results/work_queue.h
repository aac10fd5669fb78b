// Which items of a list are open, held or done, for workers that may die: what a dead one held is open again, and
// what is done twice, because somebody thought dead was only slow, counts once.
//
// Items of one group (the answers to one task) go to one worker where possible, because every worker prepares what a group
// needs (its inputs, its expected outputs) for itself.
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
  // Groups by item. Those of lower numbers are begun first.
  explicit WorkQueue(std::vector<size_t> groups);

  // An open item, now held by `worker`: the first of the group that it took from last, else of a group that nobody else took from
  // last, else the first of all. Nothing where none is open.
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

  size_t size() const { return groups_.size(); }  // all items, whatever became of them
  bool is_done() const;
  bool is_stopped() const;
  size_t open_items() const;
  size_t held_by(const std::string& worker) const;

 private:
  std::optional<size_t> take_locked(const std::string& worker);

  bool is_of_another(size_t group, const std::string& worker) const;
  void open(size_t item);
  void close(size_t item);

  const std::vector<size_t> groups_;  // by item
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<size_t, std::set<size_t>>
      open_;  // by group, in the order of the list: what was given back goes first
  size_t open_count_ = 0;
  std::map<std::string, size_t> last_group_;  // by worker
  std::map<size_t, std::string> holder_;      // by item
  std::map<size_t, int> deaths_;              // by item: how many workers died holding it
  std::vector<bool> is_item_done_;
  size_t done_ = 0;
  bool is_stopped_ = false;
};

}  // namespace cuset::judge
