#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/console.h"
#include "base/human_readable.h"
#include "base/log.h"

namespace cuset::base {
namespace {

constexpr double kRedrawInterval = 0.1;
constexpr double kFirstLineAfter = 5;
constexpr double kLongestInterval = 30;
constexpr double kRateMemory = 10;  // seconds after which a rate's influence has fallen to 1/e
constexpr double kRateKnownAfter = 15;
constexpr double kLongWork = 3600;
constexpr size_t kWidestBar = 30;
constexpr size_t kNarrowestBar = 5;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string exact_or_short(uint64_t count) {
  return count < 100'000 ? fmt::format("{}", count) : human_count(static_cast<double>(count));
}

double fraction(uint64_t count, uint64_t total) {
  return std::min(1.0, static_cast<double>(count) / static_cast<double>(total));
}

// Rounded down: 100% is said only when everything is done.
int percent(uint64_t count, uint64_t total) { return static_cast<int>(100 * fraction(count, total)); }

std::string bar(double done, size_t width) {
  const auto filled = static_cast<size_t>(done * static_cast<double>(width));
  return fmt::format("[{}{}] ", std::string(filled, '#'), std::string(width - filled, '-'));
}

}  // namespace

Progress::Progress(ProgressOptions options, ProgressWorld world)
    : options_(std::move(options)),
      console_(world.console != nullptr ? *world.console : standard_console()),
      clock_(world.clock ? std::move(world.clock) : steady_seconds),
      start_(clock_()),
      count_(options_.done),
      due_(0),
      interval_(console_.is_terminal() ? kRedrawInterval : kFirstLineAfter),
      sample_time_(start_),
      sample_count_(options_.done) {
  options_.title = printable(options_.title);
  options_.quiet = options_.quiet || log_level() > LogLevel::kInfo;
  due_ = start_ + interval_;
}

Progress::~Progress() {
  try {
    close("stopped at ");
  } catch (...) {
    // A destructor may run because of an exception; a line that cannot be printed must not end the program.
  }
}

void Progress::begin(uint64_t total, uint64_t done) {
  const std::lock_guard guard(mutex_);
  options_.total = total;
  options_.done = done;
  start_ = sample_time_ = clock_();
  count_ = sample_count_ = done;
  weighted_rate_ = weight_ = 0;
  due_ = start_ + interval_;
}

void Progress::add(uint64_t n) {
  count_.fetch_add(n, std::memory_order_relaxed);
  draw_if_due();
}

void Progress::set_note(std::string_view text) {
  {
    const std::lock_guard guard(mutex_);
    note_ = printable(text);
  }
  draw_if_due();
}

void Progress::finish() { close(""); }

void Progress::draw_if_due() {
  if (options_.quiet) return;
  const double now = clock_();
  if (now < due_.load(std::memory_order_relaxed)) return;
  // The lock holder is drawing already; waiting for it would slow the others down.
  const std::unique_lock guard(mutex_, std::try_to_lock);
  if (!guard.owns_lock() || finished_ || now < due_) return;
  const uint64_t count = count_;
  sample_rate(count, now);
  warn_of_long_work(count, now);
  if (console_.is_terminal()) {
    console_.set_status(bar_line(count, now));
  } else {
    console_.print_line(plain_line(count, now));
    interval_ = std::min(2 * interval_, kLongestInterval);
  }
  due_ = now + interval_;
}

void Progress::sample_rate(uint64_t count, double now) {
  const double passed = now - sample_time_;
  // Something that takes minutes counts when it is done, over the whole time that it took.
  if (passed <= 0 || count == sample_count_) return;
  const double kept = std::exp(-passed / kRateMemory);
  const double current = static_cast<double>(count - sample_count_) / passed;
  weighted_rate_ = kept * weighted_rate_ + (1 - kept) * current;
  weight_ = kept * weight_ + (1 - kept);
  sample_time_ = now;
  sample_count_ = count;
}

// Dividing by the weights so far keeps the first seconds from being drawn toward zero. While nothing more is done for longer than
// usual, the next one is taken to be done now.
double Progress::rate(double now) const {
  const double measured = weight_ > 0 ? weighted_rate_ / weight_ : 0;
  const double waited = now - sample_time_;
  return measured * waited > 1 ? 1 / waited : measured;
}

std::string Progress::counts(uint64_t count) const {
  if (options_.total == 0) return exact_or_short(count);
  return fmt::format("{}/{}", exact_or_short(count), exact_or_short(options_.total));
}

std::string Progress::rate_text(double rate) const {
  return fmt::format("{}{}{}/s", human_count(rate), options_.unit.empty() ? "" : " ", options_.unit);
}

std::optional<double> Progress::time_left(uint64_t count, double now) const {
  if (options_.total <= count || !(rate(now) > 0)) return std::nullopt;
  return static_cast<double>(options_.total - count) / rate(now);
}

std::string Progress::times(uint64_t count, double now) const {
  std::string text = human_duration(now - start_);
  if (const auto left = time_left(count, now)) text += fmt::format(", {} left", human_duration(*left));
  return text;
}

void Progress::warn_of_long_work(uint64_t count, double now) {
  if (warned_ || options_.shorter.empty() || now - start_ < kRateKnownAfter) return;
  const auto left = time_left(count, now);
  if (!left || *left < kLongWork) return;
  warned_ = true;
  console_.print_line(fmt::format("warning: {}: about {} left at this rate; shorter with {}", options_.title,
                                  human_duration(*left), options_.shorter));
}

std::string Progress::bar_line(uint64_t count, double now) const {
  std::string start = options_.title + "  ";
  std::string end = fmt::format("{}  {}  {}", counts(count), rate_text(rate(now)), times(count, now));
  if (!note_.empty()) end += "  " + note_;
  if (options_.total == 0) return start + end;
  start += fmt::format("{:3}% ", percent(count, options_.total));
  // The bar's brackets, its space, the last column
  const size_t taken = columns_of(start) + columns_of(end) + 4;
  const size_t room = console_.width() > taken ? std::min(console_.width() - taken, kWidestBar) : 0;
  if (room < kNarrowestBar) return start + end;
  return start + bar(fraction(count, options_.total), room) + end;
}

std::string Progress::plain_line(uint64_t count, double now) const {
  std::string line = options_.title + ": " + counts(count);
  if (options_.total > 0) line += fmt::format(" ({}%)", percent(count, options_.total));
  line += fmt::format(", {}, {}", rate_text(rate(now)), times(count, now));
  return note_.empty() ? line : line + ", " + note_;
}

void Progress::close(std::string_view how) {
  const std::lock_guard guard(mutex_);
  if (std::exchange(finished_, true) || options_.quiet) return;
  const uint64_t count = count_;
  const double passed = clock_() - start_;
  console_.clear_status();
  if (!how.empty() && count == options_.done) return;  // stopped before anything: the reason says enough
  const bool complete = options_.total == 0 || count == options_.total;
  const std::string amount = complete ? exact_or_short(count) : counts(count);
  std::string line = fmt::format("{}: {}{} in {}", options_.title, how, amount, human_duration(passed));
  if (passed > 0) line += fmt::format(", {}", rate_text(static_cast<double>(count - options_.done) / passed));
  if (!note_.empty()) line += ", " + note_;
  console_.print_line(line);
}

}  // namespace cuset::base
