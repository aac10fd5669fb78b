// Progress of a long loop, on standard error.
//
// On a terminal one line is redrawn at most ten times a second:
//   train   42% [########------------] 420/1000  12.3 k tokens/s  1m 05s, 1m 30s left  loss 1.23
// Elsewhere plain lines come after 5, 10, 20 and then every 30 seconds:
//   train: 420/1000 (42%), 12.3 k tokens/s, 1m 05s, 1m 30s left, loss 1.23
// and both close with the total and the average rate. The time left follows from the rate of the last ten or
// so seconds (an exponential mean), so that it neither jumps nor remembers a slow start for long.
//
// Work of more than an hour is announced once, with what would shorten it, as soon as its rate is known well enough.
//
// There is no thread behind it: drawing happens inside add() and set_note(), which makes it safe to fork.
// One Progress at a time is shown; log lines appear above it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace cuset::base {

class Console;

// What a long operation reports to: a line on the terminal (Progress below), a page, a test. Calls may come
// from several threads.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  // Before all others, by operations that find out themselves how much there is to do: the total, and what
  // earlier runs have done of it.
  virtual void begin(uint64_t total, uint64_t done) = 0;
  // `n` more are done.
  virtual void add(uint64_t n = 1) = 0;
  // A short text about the state, as "loss 1.23".
  virtual void set_note(std::string_view text) = 0;
};

struct ProgressOptions {
  std::string title = "";
  uint64_t total = 0;     // 0 = unknown
  std::string unit = "";  // of the rate, as "tokens"
  bool quiet = false;     // prints nothing at all; so it is too where the log shows only warnings
  uint64_t done = 0;      // by an earlier run that is continued; counts for the bar, not for the rate
  std::string shorter =
      "";  // what would shorten the work: said once, early, where it will take more than an hour
};

// The world around a Progress; tests bring their own.
struct ProgressWorld {
  Console* console = nullptr;     // standard error where null; must outlive the Progress
  std::function<double()> clock;  // seconds that never go back; a steady clock where empty
};

class Progress : public ProgressSink {
 public:
  explicit Progress(ProgressOptions options, ProgressWorld world = {});
  // Without finish(), as after an exception, says where the work stopped, unless nothing was done.
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Replaces `total` and `done` of the options and starts the clock again.
  void begin(uint64_t total, uint64_t done) override;
  // Cheap: an atomic addition and a look at the clock.
  void add(uint64_t n = 1) override;
  // The end of the line.
  void set_note(std::string_view text) override;
  // Prints the closing line. Later calls do nothing.
  void finish();

 private:
  void draw_if_due();
  void sample_rate(uint64_t count, double now);
  void warn_of_long_work(uint64_t count, double now);
  std::string bar_line(uint64_t count, double now) const;
  std::string plain_line(uint64_t count, double now) const;
  std::string counts(uint64_t count) const;
  std::string rate_text(double rate) const;
  std::string times(uint64_t count, double now) const;
  double rate(double now) const;
  // Seconds; nothing while the rate or the total is not known.
  std::optional<double> time_left(uint64_t count, double now) const;
  void close(std::string_view how);

  ProgressOptions options_;
  Console& console_;
  std::function<double()> clock_;
  double start_;
  std::atomic<uint64_t> count_;
  std::atomic<double> due_;  // when to draw next

  std::mutex mutex_;  // guards what follows
  std::string note_;
  bool finished_ = false;
  bool warned_ = false;
  double interval_ = 0;
  double sample_time_;
  uint64_t sample_count_;
  double weighted_rate_ = 0;
  double weight_ = 0;
};

}  // namespace cuset::base
