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

// A block of 40 threads: a whole warp and a quarter of one.
struct BlockOfThreads {
  static constexpr uint32_t kThreads = 40;
  std::array<uint32_t, kThreads> masks;
  std::array<uint32_t, kThreads> arguments{};
  std::array<uint64_t, kThreads> values;
  std::array<uint64_t, kThreads> results{};

  BlockOfThreads() {
    masks.fill(~0u);
    for (uint32_t thread = 0; thread < kThreads; ++thread) values[thread] = thread * 10;
  }
  void complete(uint32_t operation) {
    cuset_complete_operation(operation, kThreads, masks.data(), arguments.data(), values.data(),
                             results.data());
  }
};

TEST(BlockOperation, ShufflesStayWithinTheirWarp) {
  BlockOfThreads block;
  for (uint32_t thread = 0; thread < BlockOfThreads::kThreads; ++thread)
    block.arguments[thread] = thread % 32 ^ 4;
  block.complete(CUSET_SHUFFLE);
  EXPECT_EQ(block.results[1], 50u);
  EXPECT_EQ(block.results[32], 360u);
  EXPECT_EQ(block.results[39], 350u);
}

TEST(BlockOperation, AnAbsentThreadGivesNothing) {
  BlockOfThreads block;
  for (uint32_t thread = 0; thread < BlockOfThreads::kThreads; ++thread) block.arguments[thread] = 5;
  block.arguments[33] = 20;  // no such lane in the second warp
  block.complete(CUSET_SHUFFLE);
  EXPECT_EQ(block.results[3], 50u);
  EXPECT_EQ(block.results[33], 330u);
  EXPECT_EQ(block.results[32], 370u);
}

TEST(BlockOperation, MasksMakeGroups) {
  BlockOfThreads block;
  for (uint32_t thread = 0; thread < BlockOfThreads::kThreads; ++thread)
    block.masks[thread] = thread % 32 < 16 ? 0xffff : 0xffff0000;
  block.values.fill(1);
  block.complete(CUSET_REDUCE_ADD);
  EXPECT_EQ(block.results[15], 16u);
  EXPECT_EQ(block.results[16], 16u);
  EXPECT_EQ(block.results[39], 8u);
  block.complete(CUSET_BALLOT);
  EXPECT_EQ(block.results[0], 0xffffu);
  EXPECT_EQ(block.results[31], 0xffff0000u);
}

TEST(BlockOperation, TheActiveMaskIsWhoIsThere) {
  BlockOfThreads block;
  block.complete(CUSET_ACTIVE_MASK);
  EXPECT_EQ(block.results[7], 0xffffffffu);
  EXPECT_EQ(block.results[32], 0xffu);
}

TEST(BlockOperation, VotesCountThreadsOfAllWarps) {
  BlockOfThreads block;
  block.values.fill(0);
  block.values[3] = block.values[34] = 1;
  block.complete(CUSET_BARRIER_COUNT);
  EXPECT_EQ(block.results[39], 2u);
  block.complete(CUSET_BARRIER_AND);
  EXPECT_EQ(block.results[0], 0u);
  block.complete(CUSET_BARRIER_OR);
  EXPECT_EQ(block.results[0], 1u);
  block.values.fill(2);
  block.complete(CUSET_BARRIER_AND);
  EXPECT_EQ(block.results[39], 1u);
}

}  // namespace
}  // namespace cuset_emulator
