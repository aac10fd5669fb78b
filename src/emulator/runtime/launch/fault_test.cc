#include "runtime/launch/fault.h"

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

TEST(Fault, StackOverflowIsAnIllegalAddress) {
  struct Recursion {
    static int down(volatile int* depth) {
      volatile char room[4096] = {};
      *depth = *depth + 1;
      if (*depth < 0) return 0;  // never: compilers warn of recursion without an end
      return down(depth) + room[*depth % 4096];
    }
  };
  volatile int depth = 0;
  const Fault fault = guarded([](void* argument) { Recursion::down(static_cast<volatile int*>(argument)); },
                              const_cast<int*>(&depth));
  EXPECT_EQ(fault.error, 700);
  EXPECT_GT(depth, 100);
}

}  // namespace
}  // namespace cuset_emulator
