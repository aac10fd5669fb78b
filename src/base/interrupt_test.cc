#include "base/interrupt.h"

#include <gtest/gtest.h>

#include <string>

namespace cuset::base {
namespace {

TEST(InterruptGuard, RemembersTheFirstSignal) {
  const InterruptGuard guard;
  EXPECT_FALSE(guard.is_requested());
  EXPECT_EQ(guard.signal_name(), "");
  ::raise(SIGTERM);
  EXPECT_TRUE(guard.is_requested());
  EXPECT_EQ(guard.signal_name(), "SIGTERM");
}

TEST(InterruptGuard, EachBeginsAnew) {
  {
    const InterruptGuard guard;
    ::raise(SIGINT);
    EXPECT_EQ(guard.signal_number(), SIGINT);
  }
  EXPECT_FALSE(InterruptGuard().is_requested());
}

TEST(InterruptGuard, IsSeenFromAnywhereWhileItLives) {
  {
    const InterruptGuard guard;
    EXPECT_FALSE(is_interrupt_requested());
    ::raise(SIGINT);
    EXPECT_TRUE(is_interrupt_requested());
  }
  EXPECT_FALSE(is_interrupt_requested());
}

TEST(InterruptGuard, InsideAnotherItShares) {
  const InterruptGuard outer;
  {
    const InterruptGuard inner;
    EXPECT_FALSE(inner.is_requested());
    ::raise(SIGTERM);
    EXPECT_EQ(inner.signal_number(), SIGTERM);
  }
  EXPECT_EQ(outer.signal_number(), SIGTERM);
  EXPECT_TRUE(InterruptGuard().is_requested());
}

TEST(InterruptGuard, TheInnermostSpeaks) {
  const auto said = [] {
    testing::internal::CaptureStderr();
    ::raise(SIGINT);
    return testing::internal::GetCapturedStderr();
  };
  {
    const InterruptGuard outer("outer");
    const InterruptGuard inner("inner");
    EXPECT_EQ(said(), "inner\n");
  }
  const InterruptGuard outer("outer");
  {
    const InterruptGuard inner("inner");
  }
  EXPECT_EQ(said(), "outer\n");
}

TEST(InterruptGuard, GivesTheOldHandlerBack) {
  struct sigaction before{}, after{};
  ::sigaction(SIGINT, nullptr, &before);
  {
    const InterruptGuard guard;
  }
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(InterruptGuard, TellsThePersonAtOnce) {
  testing::internal::CaptureStderr();
  const InterruptGuard guard("finishing the step");
  ::raise(SIGINT);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "finishing the step\n");
}

// Whichever of the two comes second.
TEST(InterruptGuardDeathTest, SecondSignalEndsTheProgram) {
  const auto raise_both = [](int first, int second) {
    const InterruptGuard guard;
    ::raise(first);
    ::raise(second);
  };
  EXPECT_EXIT(raise_both(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(raise_both(SIGINT, SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

TEST(StopScope, StopsItsOwnThreadsAlone) {
  const StopFlag flag = std::make_shared<std::atomic<bool>>(false);
  const StopScope scope(flag);
  EXPECT_FALSE(is_interrupt_requested());
  *flag = true;
  EXPECT_TRUE(is_interrupt_requested());
  EXPECT_TRUE(async_in_scope([] { return is_interrupt_requested(); }).get());
  EXPECT_FALSE(std::async(std::launch::async, [] { return is_interrupt_requested(); }).get());
  {
    const StopScope shared(nullptr);
    EXPECT_FALSE(is_interrupt_requested()) << "what others will use, too";
  }
  EXPECT_TRUE(is_interrupt_requested());
}

}  // namespace
}  // namespace cuset::base
