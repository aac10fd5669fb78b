#include "verify/results/worker_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/interrupt.h"
#include "base/machine_share.h"

namespace cuset {

void work_in_threads(size_t count, int workers, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto worker = [&] {
    try {
      for (size_t i; !is_interrupt_requested() && (i = next++) < count;) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  const size_t wanted = workers > 0 ? static_cast<size_t>(workers) : size_t{usable_processors()};
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min(wanted, count); ++i) threads.emplace_back(worker);
  worker();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cuset
