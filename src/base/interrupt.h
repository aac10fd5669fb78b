// Ctrl-C (SIGINT) and the polite end that schedulers ask for (SIGTERM): the first signal is remembered, so
// that a loop can finish its step and save; the second ends the program at once, as if nobody had caught it.
#pragma once

#include <signal.h>

#include <string>
#include <string_view>

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

// A living guard has caught a signal: for work deep inside a command that must stop at once.
bool is_interrupt_requested();

}  // namespace cuset::base
