#include "execute/run/gpu_queue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace cuset::execute {
namespace {

using Want = GpuQueue::Want;

class GpuPlaces : public testing::Test {
 protected:
  GpuQueue queue_{"test-" + std::to_string(::getpid()), 3};
  void TearDown() override { ::unlink(("/tmp/cuset-test-" + std::to_string(::getpid()) + ".lock").c_str()); }
};

TEST_F(GpuPlaces, OneByItselfHasNoCompany) {
  {
    const GpuQueue::Turn turn(queue_, Want::kShared);
    EXPECT_FALSE(turn.was_shared());
  }
  const GpuQueue::Turn turn(queue_, Want::kExclusive);
  EXPECT_FALSE(turn.was_shared());
}

TEST_F(GpuPlaces, BothOfTwoHaveCompany) {
  const GpuQueue::Turn first(queue_, Want::kShared);
  {
    const GpuQueue::Turn second(queue_, Want::kShared);
    EXPECT_TRUE(second.was_shared());
  }
  EXPECT_TRUE(first.was_shared());
}

TEST_F(GpuPlaces, NeverMoreThanThePlacesAndNobodyBesideOneAlone) {
  std::atomic<int> inside{0}, most{0}, beside_exclusive{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        const bool exclusive = (i + round) % 5 == 0;
        const GpuQueue::Turn turn(queue_, exclusive ? Want::kExclusive : Want::kShared);
        const int now = ++inside;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        if (exclusive && (now != 1 || turn.was_shared())) ++beside_exclusive;
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most.load(), 3);
  EXPECT_EQ(beside_exclusive.load(), 0);
}

}  // namespace
}  // namespace cuset::execute
