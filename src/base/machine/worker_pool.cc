#include "base/machine/worker_pool.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "base/machine/machine_share.h"

namespace cuset::base {
namespace {

// The exception of the lowest piece that threw.
class LowestFailure {
 public:
  void keep(size_t piece, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (failure_ && piece_ < piece) return;
    piece_ = piece;
    failure_ = std::move(failure);
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  size_t piece_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void WorkerPool::run(size_t count, const std::function<void(size_t)>& work) const {
  std::atomic<size_t> next = 0;
  std::atomic<bool> has_failed = false;
  LowestFailure failure;
  const auto is_over = [&] { return has_failed || (stops_at_interrupt && is_interrupt_requested()); };
  const auto worker = [&] {
    while (!is_over()) {
      const size_t piece = next++;
      if (piece >= count) return;
      try {
        work(piece);
      } catch (...) {
        failure.keep(piece, std::current_exception());
        has_failed = true;
      }
    }
  };
  const size_t wanted = threads > 0 ? threads : size_t{usable_processors()};
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(wanted, count); ++i) others.emplace_back(worker);
  worker();
  others.clear();
  failure.rethrow();
}

}  // namespace cuset::base
