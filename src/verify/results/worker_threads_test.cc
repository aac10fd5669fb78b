#include "verify/results/worker_threads.h"

#include <gtest/gtest.h>

#include <csignal>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"

namespace cuset {
namespace {

TEST(WorkerThreads, EveryPieceIsDoneOnce) {
  std::mutex mutex;
  std::multiset<size_t> done;
  work_in_threads(100, 7, [&](size_t i) {
    const std::lock_guard lock(mutex);
    done.insert(i);
  });
  EXPECT_EQ(done.size(), 100u);
  EXPECT_EQ(std::set<size_t>(done.begin(), done.end()).size(), 100u);
  work_in_threads(0, 3, [](size_t) { FAIL(); });
}

TEST(WorkerThreads, AnExceptionEndsAllAndComesOut) {
  std::atomic<int> begun = 0;
  const auto work = [&](size_t i) {
    ++begun;
    if (i == 3) throw Error("piece {} failed", i);
  };
  EXPECT_THROW(work_in_threads(1'000'000, 2, work), Error);
  EXPECT_LT(begun, 1'000'000);
}

TEST(WorkerThreads, AnInterruptEndsAfterThePiecesInHand) {
  const InterruptGuard guard;
  int done = 0;
  work_in_threads(10, 1, [&](size_t i) {
    if (i == 4) std::raise(SIGINT);
    ++done;
  });
  EXPECT_EQ(done, 5);
}

}  // namespace
}  // namespace cuset
