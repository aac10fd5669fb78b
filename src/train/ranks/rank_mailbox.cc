#include "train/ranks/rank_mailbox.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "train/ranks/rendezvous.h"

namespace cuset::train {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestPause(20);  // between looks for a message

std::string mail_of(int rank) { return fmt::format("mail/{}", rank); }
std::string beat_of(int rank) { return fmt::format("beat/{}", rank); }

// What one rank knows of another's heartbeat.
struct WatchedRank {
  int64_t seen = 0;
  int still = 0;  // looks since it last grew
};

}  // namespace

class RankMailbox::Connection {
 public:
  Connection(const RankEnvironment& environment, const MailboxOptions& options, Rendezvous rendezvous)
      : rank_(environment.rank),
        options_(options),
        rendezvous_(std::move(rendezvous)),
        pulse_(rendezvous_.store->clone()),
        watched_(static_cast<size_t>(environment.size)),
        thread_([this] { beat(); }) {}

  ~Connection() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    stop_asked_.notify_all();
    thread_.join();
  }

  int sharers() const {
    return static_cast<int>(
        std::ranges::count(rendezvous_.places, rendezvous_.places[static_cast<size_t>(rank_)]));
  }

  void post(int to, const std::string& text) {
    const std::string whole = fmt::format("{} {}", rank_, text);
    with_store([&](c10d::Store& store) {
      store.queuePush(mail_of(to), std::vector<uint8_t>(whole.begin(), whole.end()));
    });
  }

  // A wait inside the store would keep other threads from it, so the store is asked again and again.
  std::optional<RankMessage> take(milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (milliseconds pause(1);; pause = std::min(2 * pause, kLongestPause)) {
      if (auto message = take_now()) return message;
      throw_if_abandoned();
      if (std::chrono::steady_clock::now() + pause > end) return std::nullopt;
      std::this_thread::sleep_for(pause);
    }
  }

  std::optional<int> take_lost() {
    const std::lock_guard lock(mutex_);
    if (lost_.empty()) return std::nullopt;
    const int rank = lost_.front();
    lost_.pop_front();
    return rank;
  }

 private:
  std::optional<RankMessage> take_now() {
    std::vector<uint8_t> bytes;
    with_store([&](c10d::Store& store) {
      if (store.queueLen(mail_of(rank_)) > 0) bytes = store.queuePop(mail_of(rank_), false);
    });
    const auto space = std::ranges::find(bytes, uint8_t{' '});
    if (space == bytes.end()) return std::nullopt;
    return RankMessage{std::stoi(std::string(bytes.begin(), space)), std::string(space + 1, bytes.end())};
  }

  template <typename Action>
  void with_store(Action action) {
    const std::lock_guard lock(store_mutex_);
    try {
      action(*rendezvous_.store);
    } catch (const std::exception& fault) {
      throw_gone(short_reason(fault));
    }
  }

  [[noreturn]] void throw_gone(const std::string& reason) const {
    throw base::Error("rank {} lost rank 0: {}", rank_, reason)
        .with_remedy("look at the messages of rank 0; the same command resumes");
  }

  // With torchrun the store is not rank 0's and outlives it.
  void throw_if_abandoned() {
    const std::lock_guard lock(mutex_);
    if (rank_ != 0 && is_first_lost_) throw_gone("it gave no sign of life");
  }

  void beat() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      lock.unlock();
      const std::vector<int> silent = look();
      lock.lock();
      for (const int rank : silent) {
        if (rank == 0) is_first_lost_ = true;
        lost_.push_back(rank);
      }
      stop_asked_.wait_for(lock, options_.interval, [this] { return stop_; });
    }
  }

  // The ranks that have just been silent for too long.
  std::vector<int> look() {
    std::vector<int> silent;
    try {
      pulse_->add(beat_of(rank_), 1);
      const int end = rank_ == 0 ? static_cast<int>(watched_.size()) : 1;
      for (int rank = rank_ == 0 ? 1 : 0; rank < end; ++rank) {
        if (has_just_died(rank)) silent.push_back(rank);
      }
    } catch (const std::exception&) {
      silent.push_back(0);  // its store does not answer
    }
    return silent;
  }

  bool has_just_died(int rank) {
    WatchedRank& watched = watched_[static_cast<size_t>(rank)];
    const int64_t beats = pulse_->add(beat_of(rank), 0);
    watched.still = beats == watched.seen ? watched.still + 1 : 0;
    watched.seen = beats;
    return watched.still == options_.patience;
  }

  const int rank_;
  const MailboxOptions options_;
  const Rendezvous rendezvous_;
  std::mutex store_mutex_;
  const c10::intrusive_ptr<c10d::Store> pulse_;  // a connection of the thread's own
  std::vector<WatchedRank> watched_;             // the thread's alone

  std::mutex mutex_;  // guards what follows
  std::condition_variable stop_asked_;
  bool stop_ = false;
  bool is_first_lost_ = false;
  std::deque<int> lost_;
  std::thread thread_;
};

RankMailbox::RankMailbox(const RankEnvironment& environment, const MailboxOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);  // a partner that has just died is an Error, not the end of this process
  connection_ = std::make_unique<Connection>(environment, options, meet(environment, options.start_timeout));
  sharers_ = connection_->sharers();
}

RankMailbox::~RankMailbox() = default;

void RankMailbox::post(int to, const std::string& text) { connection_->post(to, text); }

std::optional<RankMessage> RankMailbox::take(milliseconds patience) { return connection_->take(patience); }

std::optional<int> RankMailbox::take_lost() { return connection_->take_lost(); }

}  // namespace cuset::train
