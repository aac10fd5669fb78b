#include "runtime/fault.h"

#include <gtest/gtest.h>

namespace cuset_emulator {
namespace {

TEST(Fault, QuietWorkIsNoFault) {
  int done = 0;
  const Fault fault = guarded([](void* argument) { *static_cast<int*>(argument) = 1; }, &done);
  EXPECT_EQ(fault.error, 0);
  EXPECT_EQ(done, 1);
  EXPECT_FALSE(in_device_code());
}

TEST(Fault, FailureComesBackWithItsExplanation) {
  const Fault fault = guarded([](void*) { fail_launch(710, "assertion"); }, nullptr);
  EXPECT_EQ(fault.error, 710);
  EXPECT_EQ(fault.explanation, "assertion");
}

TEST(Fault, InvalidAddressEndsTheWorkAndNotTheProgram) {
  const auto work = [](void* argument) { *static_cast<volatile int*>(argument) = 1; };
  for (int round = 0; round < 3; ++round) {
    const Fault fault = guarded(work, reinterpret_cast<void*>(16));
    EXPECT_EQ(fault.error, 700);
    EXPECT_NE(fault.explanation.find("0x10"), std::string::npos) << fault.explanation;
  }
}

// Ends at a depth that no stack reaches, so that the compiler sees an end.
int go_down(int depth, int* reached) {
  volatile char room[4096];
  room[depth % 4096] = static_cast<char>(depth);
  *reached = depth;
  return depth == 1 << 30 ? 0 : go_down(depth + 1, reached) + room[depth % 4096];
}

TEST(Fault, StackOverflowIsAnIllegalAddress) {
  int reached = 0;
  const Fault fault = guarded([](void* argument) { go_down(0, static_cast<int*>(argument)); }, &reached);
  EXPECT_EQ(fault.error, 700);
  EXPECT_GT(reached, 100);
}

}  // namespace
}  // namespace cuset_emulator
