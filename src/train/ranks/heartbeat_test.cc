#include "train/ranks/heartbeat.h"

#include <gtest/gtest.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

namespace cuset::train {
namespace {

using std::chrono::milliseconds;

// A store whose owner has died.
class BrokenStore : public c10d::HashStore {
 public:
  int64_t add(const std::string&, int64_t) override { throw std::runtime_error("connection reset"); }
};

std::string wait_until_lost(const Heartbeat& heartbeat) {
  while (!heartbeat.lost()) std::this_thread::sleep_for(milliseconds(1));
  return *heartbeat.lost();
}

HeartbeatOptions quick(c10::intrusive_ptr<c10d::Store> store, int rank, int size) {
  return {std::move(store), rank, size, milliseconds(1), 1000};
}

TEST(Heartbeat, SilentNeighborIsLostAndEveryRankHearsOfIt) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const Heartbeat first(quick(store, 0, 3));
  const Heartbeat second(quick(store, 1, 3));  // rank 2 never starts
  EXPECT_EQ(wait_until_lost(second), "rank 2 sent no heartbeat for 1 s");
  EXPECT_EQ(wait_until_lost(first), "rank 2 sent no heartbeat for 1 s");
}

TEST(Heartbeat, LiveRanksAreNotLost) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const Heartbeat first(quick(store, 0, 2));
  const Heartbeat second(quick(store, 1, 2));
  while (store->add("pulse/0", 0) < 50 || store->add("pulse/1", 0) < 50) std::this_thread::yield();
  EXPECT_FALSE(first.lost());
  EXPECT_FALSE(second.lost());
}

TEST(Heartbeat, NoteOfAnEndedRankIsPassedOn) {
  const c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::HashStore>();
  store->set(kEndedKey, std::string("rank 1 ended: loss is NaN"));
  const Heartbeat first(quick(store, 0, 2));
  EXPECT_EQ(wait_until_lost(first), "rank 1 ended: loss is NaN");
}

TEST(Heartbeat, StoreThatDoesNotAnswerMeansRankZeroIsGone) {
  const Heartbeat second(quick(c10::make_intrusive<BrokenStore>(), 1, 2));
  EXPECT_EQ(wait_until_lost(second), "rank 0 is gone");
}

}  // namespace
}  // namespace cuset::train
