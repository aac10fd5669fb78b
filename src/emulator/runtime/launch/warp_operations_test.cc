#include "runtime/launch/warp_operations.h"

#include <gtest/gtest.h>

#include <array>

namespace cuset_emulator {
namespace {

struct Lanes {
  std::array<Request, 32> requests{};
  std::array<uint64_t, 32> results{};

  Lanes() {
    for (uint32_t lane = 0; lane < 32; ++lane) requests[lane].value = lane * 10;
  }
  void complete(uint32_t operation, uint32_t lanes) {
    complete_warp_operation(operation, lanes, requests.data(), results.data());
  }
};

TEST(WarpOperations, ShuffleReadsTheNamedLane) {
  Lanes lanes;
  for (uint32_t lane = 0; lane < 32; ++lane) lanes.requests[lane].argument = lane ^ 1;
  lanes.complete(CUSET_SHUFFLE, ~0u);
  EXPECT_EQ(lanes.results[4], 50u);
  EXPECT_EQ(lanes.results[31], 300u);
}

TEST(WarpOperations, ShuffleFromAnAbsentLaneKeepsTheOwnValue) {
  Lanes lanes;
  lanes.requests[3].argument = 20;
  lanes.complete(CUSET_SHUFFLE, 0xff);
  EXPECT_EQ(lanes.results[3], 30u);
}

TEST(WarpOperations, BallotCountsOnlyLanesThatTakePart) {
  Lanes lanes;
  lanes.complete(CUSET_BALLOT, 0x0f);  // lane 0 votes with 0
  EXPECT_EQ(lanes.results[2], 0x0eu);
  EXPECT_EQ(lanes.results[5], 0u);
}

TEST(WarpOperations, MatchAnyGroupsEqualValues) {
  Lanes lanes;
  for (uint32_t lane = 0; lane < 32; ++lane) lanes.requests[lane].value = lane % 3;
  lanes.complete(CUSET_MATCH_ANY, 0x3f);
  EXPECT_EQ(lanes.results[0], 0b001001u);
  EXPECT_EQ(lanes.results[4], 0b010010u);
}

TEST(WarpOperations, MatchAllNeedsEveryLane) {
  Lanes lanes;
  for (Request& request : lanes.requests) request.value = 7;
  lanes.complete(CUSET_MATCH_ALL, 0xf0);
  EXPECT_EQ(lanes.results[4], 0xf0u);
  lanes.requests[5].value = 8;
  lanes.complete(CUSET_MATCH_ALL, 0xf0);
  EXPECT_EQ(lanes.results[4], 0u);
}

TEST(WarpOperations, ReductionsTellSignedFromUnsigned) {
  Lanes lanes;
  lanes.requests[0].value = 5;
  lanes.requests[1].value = static_cast<uint32_t>(-3);
  lanes.complete(CUSET_REDUCE_MIN, 3);
  EXPECT_EQ(lanes.results[0], 5u);
  lanes.complete(CUSET_REDUCE_MIN_SIGNED, 3);
  EXPECT_EQ(lanes.results[1], static_cast<uint32_t>(-3));
  lanes.complete(CUSET_REDUCE_ADD, 3);
  EXPECT_EQ(lanes.results[0], 2u);
}

}  // namespace
}  // namespace cuset_emulator
