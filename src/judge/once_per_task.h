// What is computed once for a task, by the first thread that needs it, and shared by all its answers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tasks/task.h"

namespace cuset::judge {

template <typename Value>
class OncePerTask {
 public:
  // The value of `task`; the first call computes it with make(), and calls for the same task wait for that. An
  // exception of make() goes to its caller, and the next call tries again. Safe to call from many threads.
  template <typename Make>
  std::shared_ptr<const Value> get(const tasks::Task& task, const Make& make) {
    const std::shared_ptr<Entry> entry = entry_of(task);
    std::call_once(entry->made, [&] { entry->value.reset(new Value(make())); });
    return {entry, entry->value.get()};
  }

  // Drops the value; who still holds it keeps it.
  void forget(const tasks::Task& task) {
    const std::lock_guard lock(mutex_);
    entries_.erase(task.id);
  }

 private:
  struct Entry {
    std::once_flag made;
    std::unique_ptr<const Value> value;
  };

  std::shared_ptr<Entry> entry_of(const tasks::Task& task) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& entry = entries_[task.id];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
  }

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace cuset::judge
