// Work on many pieces by several threads, each taking the next piece when it is done with one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"

namespace cuset::base {

struct WorkerPool {
  size_t threads = 0;               // this one among them; 0: one per usable core
  bool stops_at_interrupt = false;  // (base/interrupt.h), after the pieces that are begun

  // Calls work(0) .. work(count - 1), begun in this order. An exception keeps further pieces from being begun
  // and is thrown again here; of several, that of the lowest piece, which does not depend on timing.
  void run(size_t count, const std::function<void(size_t)>& work) const;
};

struct OrderedWork {
  uint64_t count = 0;
  int workers = 0;  // 0: one per core
  std::string title;
};

// Calls make(number) for 0 .. count-1 on several threads and take(number, item) with the results, on this
// thread and in order, a chunk at a time, with progress. False where an interrupt (base/interrupt.h) ended it
// early.
template <typename Item>
bool make_in_order(const OrderedWork& work, const std::function<Item(uint64_t)>& make,
                   const std::function<void(uint64_t, Item&)>& take) {
  constexpr uint64_t kChunk = 1024;
  const WorkerPool pool{.threads = static_cast<size_t>(work.workers), .stops_at_interrupt = true};
  Progress progress({.title = work.title, .total = work.count, .unit = "records"});
  for (uint64_t begin = 0; begin < work.count; begin += kChunk) {
    std::vector<Item> items(std::min(kChunk, work.count - begin));
    pool.run(items.size(), [&](size_t i) {
      items[i] = make(begin + i);
      progress.add();
    });
    if (is_interrupt_requested()) return false;
    for (size_t i = 0; i < items.size(); ++i) take(begin + i, items[i]);
  }
  progress.finish();
  return true;
}

}  // namespace cuset::base
