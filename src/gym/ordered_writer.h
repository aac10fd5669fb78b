// Many lines made by many threads, written in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "verify/results/worker_threads.h"

namespace cuset {

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
  Progress progress({.title = work.title, .total = work.count, .unit = "records"});
  for (uint64_t begin = 0; begin < work.count; begin += kChunk) {
    std::vector<Item> items(std::min(kChunk, work.count - begin));
    work_in_threads(items.size(), work.workers, [&](size_t i) {
      items[i] = make(begin + i);
      progress.add();
    });
    if (is_interrupt_requested()) return false;
    for (size_t i = 0; i < items.size(); ++i) take(begin + i, items[i]);
  }
  progress.finish();
  return true;
}

}  // namespace cuset
