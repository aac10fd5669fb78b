#include "base/machine/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"

namespace cuset::base {
namespace {

TEST(WorkerPool, EveryPieceIsDoneOnce) {
  std::mutex mutex;
  std::multiset<size_t> done;
  WorkerPool{.threads = 7}.run(100, [&](size_t i) {
    const std::lock_guard lock(mutex);
    done.insert(i);
  });
  EXPECT_EQ(done.size(), 100u);
  EXPECT_EQ(std::set<size_t>(done.begin(), done.end()).size(), 100u);
  WorkerPool{.threads = 3}.run(0, [](size_t) { FAIL(); });
}

TEST(WorkerPool, AnExceptionEndsAllAndComesOut) {
  std::atomic<int> begun = 0;
  const auto work = [&](size_t i) {
    ++begun;
    if (i == 3) throw Error("piece {} failed", i);
  };
  EXPECT_THROW(WorkerPool{.threads = 2}.run(1'000'000, work), Error);
  EXPECT_LT(begun, 1'000'000);
}

// Piece 5 fails at once and piece 2 later: the message is that of piece 2 all the same.
TEST(WorkerPool, OfSeveralExceptionsThatOfTheLowestPieceComesOut) {
  const auto work = [](size_t i) {
    if (i == 2) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (i == 2 || i == 5) throw Error("piece {} failed", i);
  };
  try {
    WorkerPool{.threads = 6}.run(6, work);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "piece 2 failed");
  }
}

TEST(WorkerPool, AnInterruptEndsAfterThePiecesInHand) {
  const InterruptGuard guard;
  int done = 0;
  WorkerPool{.threads = 1, .stops_at_interrupt = true}.run(10, [&](size_t i) {
    if (i == 4) std::raise(SIGINT);
    ++done;
  });
  EXPECT_EQ(done, 5);
}

TEST(WorkerPool, AnInterruptIsIgnoredByWorkThatMustBeWhole) {
  const InterruptGuard guard;
  int done = 0;
  WorkerPool{.threads = 1}.run(10, [&](size_t i) {
    if (i == 4) std::raise(SIGINT);
    ++done;
  });
  EXPECT_EQ(done, 10);
}

TEST(MakeInOrder, TakesTheResultsInOrder) {
  std::vector<uint64_t> taken;
  const bool whole = make_in_order<uint64_t>(
      {.count = 3000, .workers = 5, .title = "squares"}, [](uint64_t i) { return i * i; },
      [&](uint64_t i, uint64_t& square) {
        EXPECT_EQ(square, i * i);
        taken.push_back(i);
      });
  EXPECT_TRUE(whole);
  ASSERT_EQ(taken.size(), 3000u);
  EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
}

}  // namespace
}  // namespace cuset::base
