#include "base/interrupt.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

namespace cuset::base {
namespace {

// A signal handler reaches nothing but globals; these are written by the guards and by the handler.
std::atomic<int> received = 0;
std::atomic<int> guards = 0;  // that live, one inside the other
std::array<char, 256> notice_text{};
std::atomic<size_t> notice_size = 0;

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<size_t>::is_always_lock_free);

thread_local StopFlag stop_flag;

// Only calls that are safe inside a signal handler.
void on_signal(int number) {
  const int saved_errno = errno;
  int none = 0;
  if (received.compare_exchange_strong(none, number)) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, notice_text.data(), notice_size);
  } else {
    ::signal(number, SIG_DFL);
    ::raise(number);  // takes effect when this handler returns
  }
  errno = saved_errno;
}

// A signal that comes in between says nothing.
void set_notice(std::string_view notice) {
  notice_size = 0;
  std::copy(notice.begin(), notice.end(), notice_text.begin());
  notice_size = notice.size();
}

std::string notice_line(std::string_view notice) {
  if (notice.empty()) return "";
  return std::string(notice.substr(0, notice_text.size() - 1)) + '\n';
}

}  // namespace

InterruptGuard::InterruptGuard(std::string_view notice) : notice_before_(notice_text.data(), notice_size) {
  set_notice(notice_line(notice));
  if (guards++ > 0) return;
  received = 0;
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_interrupt_);
  ::sigaction(SIGTERM, &action, &before_terminate_);
}

InterruptGuard::~InterruptGuard() {
  if (--guards == 0) {
    ::sigaction(SIGINT, &before_interrupt_, nullptr);
    ::sigaction(SIGTERM, &before_terminate_, nullptr);
  }
  set_notice(notice_before_);
}

bool is_interrupt_requested() { return (guards > 0 && received != 0) || (stop_flag && *stop_flag); }

StopScope::StopScope(StopFlag flag) : before_(std::exchange(stop_flag, std::move(flag))) {}

StopScope::~StopScope() { stop_flag = std::move(before_); }

StopFlag current_stop_flag() { return stop_flag; }

int InterruptGuard::signal_number() const { return received; }

std::string_view InterruptGuard::signal_name() const {
  switch (signal_number()) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "";
  }
}

}  // namespace cuset::base
