#include "judge/results/work_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"

namespace cuset::judge {
namespace {

// Nobody is told of an interrupt, so it is looked for.
constexpr std::chrono::milliseconds kInterruptLook(50);

}  // namespace

WorkQueue::WorkQueue(std::vector<size_t> groups) : groups_(std::move(groups)), is_item_done_(groups_.size()) {
  for (size_t i = 0; i < groups_.size(); ++i) open(i);
}

void WorkQueue::open(size_t item) {
  if (open_[groups_[item]].insert(item).second) ++open_count_;
}

void WorkQueue::close(size_t item) {
  const auto group = open_.find(groups_[item]);
  if (group == open_.end() || group->second.erase(item) == 0) return;
  if (group->second.empty()) open_.erase(group);
  --open_count_;
}

bool WorkQueue::is_of_another(size_t group, const std::string& worker) const {
  return std::ranges::any_of(last_group_,
                             [&](const auto& last) { return last.second == group && last.first != worker; });
}

std::optional<size_t> WorkQueue::take(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  return take_locked(worker);
}

std::optional<size_t> WorkQueue::take_locked(const std::string& worker) {
  if (open_.empty()) return std::nullopt;
  const auto last = last_group_.find(worker);
  auto group = last == last_group_.end() ? open_.end() : open_.find(last->second);
  if (group == open_.end())
    group = std::ranges::find_if(open_, [&](const auto& of) { return !is_of_another(of.first, worker); });
  if (group == open_.end()) group = open_.begin();
  const size_t item = *group->second.begin();
  last_group_[worker] = group->first;
  close(item);
  holder_[item] = worker;
  return item;
}

std::optional<size_t> WorkQueue::wait_and_take(const std::string& worker) {
  std::unique_lock lock(mutex_);
  while (done_ < groups_.size() && !is_stopped_ && !base::is_interrupt_requested()) {
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
    close(item);
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
      open(held->first);
      held = holder_.erase(held);
    }
    last_group_.erase(worker);
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
  return done_ == groups_.size();
}

bool WorkQueue::is_stopped() const {
  const std::lock_guard lock(mutex_);
  return is_stopped_;
}

size_t WorkQueue::open_items() const {
  const std::lock_guard lock(mutex_);
  return open_count_;
}

size_t WorkQueue::held_by(const std::string& worker) const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(holder_, [&](const auto& held) { return held.second == worker; }));
}

}  // namespace cuset::judge
