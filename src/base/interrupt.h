// Ctrl-C (SIGINT) and the polite end that schedulers ask for (SIGTERM): the first signal is remembered, so
// that a loop can finish its step and save; the second ends the program at once, as if nobody had caught it.
//
// A part of the work, such as one answer of many that are being judged, can be stopped alone: StopScope.
#pragma once

#include <signal.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace cuset::base {

class InterruptGuard {
 public:
  // Catches both signals while it lives. At the first one `notice` and a newline go to standard error at
  // once, because a step can be long. A guard inside the life of another gives its own notice meanwhile, and
  // a signal that came before it counts for it too: a sequence of works stops wherever the signal comes.
  explicit InterruptGuard(std::string_view notice = "");
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // A signal has come.
  bool is_requested() const { return signal_number() != 0; }
  // SIGINT or SIGTERM, or 0.
  int signal_number() const;
  // "SIGINT", "SIGTERM", or empty.
  std::string_view signal_name() const;

 private:
  struct sigaction before_interrupt_{};
  struct sigaction before_terminate_{};
  std::string notice_before_;
};

// A living guard has caught a signal, or this thread's work is to stop (StopScope): for work deep inside a command that must stop at
// once.
bool is_interrupt_requested();

// Set by whoever wants the work to stop, seen by all threads that do it.
using StopFlag = std::shared_ptr<std::atomic<bool>>;

// While it lives, what this thread does stops once the flag is set. An empty flag: nothing but a signal stops it, for what
// others will use, too.
class StopScope {
 public:
  explicit StopScope(StopFlag flag);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  StopFlag before_;
};

// The flag of this thread's innermost scope; may be empty.
StopFlag current_stop_flag();

// Work in a thread of its own that stops with the work of the thread that starts it.
template <typename Work>
auto async_in_scope(Work work) {
  return std::async(std::launch::async, [flag = current_stop_flag(), work = std::move(work)]() mutable {
    const StopScope scope(flag);
    return work();
  });
}

}  // namespace cuset::base
