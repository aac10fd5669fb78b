// Notices ranks that died without a word, for exchanges (NCCL's) that would wait for them forever.
//
// A thread of every rank counts up a number of its own in the shared store, looks whether the number of the
// next rank still grows, and looks for a note under kEndedKey. A number that stands still for `patience`
// looks, or a store that no longer answers (rank 0 died), is a lost partner; whoever sees the former leaves
// the note, so that all ranks know within one interval. Patience counts looks, not time: a job that was
// suspended as a whole resumes when it is continued.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace cuset::train {

// The store's key for why the run ended, written by the first rank that knows.
inline constexpr const char* kEndedKey = "ended";

struct HeartbeatOptions {
  c10::intrusive_ptr<c10d::Store> store;
  int rank = 0;
  int size = 1;
  std::chrono::milliseconds interval{2000};
  int patience = 15;
};

class Heartbeat {
 public:
  explicit Heartbeat(HeartbeatOptions options);
  // Waits for the look in progress, no longer.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // What was lost, as "rank 3 sent no heartbeat for 30 s"; nothing while all are well.
  std::optional<std::string> lost() const;

 private:
  void watch();
  std::optional<std::string> look();

  const HeartbeatOptions options_;
  int64_t seen_ = 0;  // the next rank's number at the last look
  int still_ = 0;     // looks since it last grew
  mutable std::mutex mutex_;
  std::condition_variable stop_asked_;
  bool stop_ = false;
  std::optional<std::string> lost_;
  std::thread thread_;
};

}  // namespace cuset::train
