// Messages among ranks that may die, through the store in which ranks meet (rendezvous.h): for work that is handed out
// piece by piece, where gradients are summed by ranks.h. LibTorch stays out of this header.
//
// Every rank counts up a number of its own in the store. Rank 0 looks at the numbers of all, the others at that of rank
// 0; one that stands still for `patience` looks belongs to a rank that died, or that is so slow that it may count as
// dead: its messages still arrive.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "train/ranks/rank_environment.h"

namespace cuset::train {

struct MailboxOptions {
  std::chrono::milliseconds start_timeout = std::chrono::minutes(10);  // until all ranks have come
  std::chrono::milliseconds interval = std::chrono::seconds(1);        // between heartbeats
  int patience = 10;                                                   // looks without one
};

struct RankMessage {
  int from = 0;
  std::string text;

  bool operator==(const RankMessage&) const = default;
};

// Safe to use from several threads.
class RankMailbox {
 public:
  // Meets the other ranks and throws what meet() throws. `environment` has several ranks.
  explicit RankMailbox(const RankEnvironment& environment, const MailboxOptions& options = {});
  ~RankMailbox();
  RankMailbox(const RankMailbox&) = delete;
  RankMailbox& operator=(const RankMailbox&) = delete;

  // Ranks, this one among them, that may use the same processor cores.
  int sharers() const { return sharers_; }

  // Throws Error where rank 0 is gone, which serves the store.
  void post(int to, const std::string& text);
  // The next message to this rank; nothing where none comes within `patience`. Throws Error where rank 0 is gone.
  std::optional<RankMessage> take(std::chrono::milliseconds patience);

  // For rank 0: a rank that gave no sign of life, once each time it falls silent.
  std::optional<int> take_lost();

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
  int sharers_ = 1;
};

}  // namespace cuset::train
