#include "judge/results/work_queue.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/interrupt.h"

namespace cuset::judge {
namespace {

// Nobody is told of an interrupt, so it is looked for.
constexpr std::chrono::milliseconds kInterruptLook(50);

}  // namespace

WorkQueue::WorkQueue(size_t items) : items_(items), is_item_done_(items) {
  for (size_t i = 0; i < items; ++i) open_.insert(open_.end(), i);
}

std::optional<size_t> WorkQueue::take(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  return take_locked(worker);
}

std::optional<size_t> WorkQueue::take_locked(const std::string& worker) {
  if (open_.empty()) return std::nullopt;
  const size_t item = *open_.begin();
  open_.erase(open_.begin());
  holder_[item] = worker;
  return item;
}

std::optional<size_t> WorkQueue::wait_and_take(const std::string& worker) {
  std::unique_lock lock(mutex_);
  while (done_ < items_ && !is_stopped_ && !base::is_interrupt_requested()) {
    if (const std::optional<size_t> item = take_locked(worker)) return item;
    changed_.wait_for(lock, kInterruptLook);
  }
  return std::nullopt;
}

bool WorkQueue::finish(size_t item) {
  {
    const std::lock_guard lock(mutex_);
    if (is_item_done_.at(item)) return false;
    is_item_done_[item] = true;
    ++done_;
    open_.erase(item);
    holder_.erase(item);
  }
  changed_.notify_all();
  return true;
}

void WorkQueue::give_back(const std::string& worker, int most_deaths) {
  {
    const std::lock_guard lock(mutex_);
    for (auto held = holder_.begin(); held != holder_.end();) {
      if (held->second != worker) {
        ++held;
        continue;
      }
      if (++deaths_[held->first] >= most_deaths) {
        throw base::Error("{} processes ended while they judged the same answer", most_deaths)
            .with_remedy("look at their messages; the same command resumes");
      }
      open_.insert(held->first);
      held = holder_.erase(held);
    }
  }
  changed_.notify_all();
}

void WorkQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
}

bool WorkQueue::is_done() const {
  const std::lock_guard lock(mutex_);
  return done_ == items_;
}

bool WorkQueue::is_stopped() const {
  const std::lock_guard lock(mutex_);
  return is_stopped_;
}

size_t WorkQueue::open() const {
  const std::lock_guard lock(mutex_);
  return open_.size();
}

size_t WorkQueue::held_by(const std::string& worker) const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(holder_, [&](const auto& held) { return held.second == worker; }));
}

}  // namespace cuset::judge
