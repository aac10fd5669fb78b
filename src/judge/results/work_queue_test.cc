#include "judge/results/work_queue.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/error_text.h"

namespace cuset::judge {
namespace {

TEST(WorkQueue, ItemsComeInOrderAndOnce) {
  WorkQueue queue(std::vector<size_t>{0, 0, 0});
  EXPECT_EQ(queue.take("a"), 0u);
  EXPECT_EQ(queue.take("b"), 1u);
  EXPECT_EQ(queue.take("a"), 2u);
  EXPECT_EQ(queue.take("b"), std::nullopt);
  EXPECT_EQ(queue.held_by("a"), 2u);
  EXPECT_EQ(queue.open_items(), 0u);
  EXPECT_FALSE(queue.is_done());
}

TEST(WorkQueue, WhatADeadWorkerHeldGoesFirst) {
  WorkQueue queue(std::vector<size_t>{0, 0, 0, 0});
  queue.take("dead");
  queue.take("alive");
  queue.take("dead");
  queue.give_back("dead", 3);
  EXPECT_EQ(queue.held_by("dead"), 0u);
  EXPECT_EQ(queue.take("alive"), 0u);
  EXPECT_EQ(queue.take("alive"), 2u);
  EXPECT_EQ(queue.take("alive"), 3u);
}

TEST(WorkQueue, AWorkerStaysWithItsGroupAndBeginsAnotherAlone) {
  WorkQueue queue(std::vector<size_t>{0, 0, 0, 1, 1, 2});
  EXPECT_EQ(queue.take("a"), 0u);
  EXPECT_EQ(queue.take("b"), 3u) << "the first group is a's";
  EXPECT_EQ(queue.take("b"), 4u);
  EXPECT_EQ(queue.take("a"), 1u);
  EXPECT_EQ(queue.take("b"), 5u);
  EXPECT_EQ(queue.take("b"), 2u) << "nothing else is left";
  EXPECT_EQ(queue.take("a"), std::nullopt);
  EXPECT_EQ(queue.open_items(), 0u);
}

TEST(WorkQueue, TheGroupOfADeadWorkerIsTakenOver) {
  WorkQueue queue(std::vector<size_t>{0, 0, 1});
  EXPECT_EQ(queue.take("dead"), 0u);
  queue.give_back("dead", 3);
  EXPECT_EQ(queue.open_items(), 3u);
  EXPECT_EQ(queue.take("alive"), 0u);
  EXPECT_EQ(queue.take("alive"), 1u);
}

TEST(WorkQueue, AnItemDoneTwiceCountsOnce) {
  WorkQueue queue(std::vector<size_t>{0, 0});
  queue.take("slow");
  queue.give_back("slow", 3);
  EXPECT_EQ(queue.take("other"), 0u);
  EXPECT_TRUE(queue.finish(0));
  EXPECT_FALSE(queue.finish(0));
  EXPECT_FALSE(queue.is_done());
}

TEST(WorkQueue, AnItemDoneByAWorkerThoughtDeadIsNotGivenOutAgain) {
  WorkQueue queue(std::vector<size_t>{0});
  queue.take("slow");
  queue.give_back("slow", 3);
  EXPECT_TRUE(queue.finish(0));
  EXPECT_EQ(queue.take("other"), std::nullopt);
  EXPECT_TRUE(queue.is_done());
}

TEST(WorkQueue, AnItemThatEndsItsWorkersEndsTheRun) {
  WorkQueue queue(std::vector<size_t>{0});
  queue.take("first");
  queue.give_back("first", 2);
  queue.take("second");
  EXPECT_EQ(support::error_of([&] { queue.give_back("second", 2); }).find("2 processes ended"), 0u);
}

TEST(WorkQueue, AWaitingWorkerTakesWhatIsGivenBack) {
  WorkQueue queue(std::vector<size_t>{0});
  queue.take("dead");
  std::optional<size_t> taken;
  std::jthread waiting([&] { taken = queue.wait_and_take("alive"); });
  queue.give_back("dead", 3);
  waiting.join();
  EXPECT_EQ(taken, 0u);
  queue.finish(0);
  EXPECT_EQ(queue.wait_and_take("alive"), std::nullopt) << "all are done";
}

TEST(WorkQueue, StoppingEndsTheWait) {
  WorkQueue queue(std::vector<size_t>{0});
  queue.take("other");
  std::jthread waiting([&] { EXPECT_EQ(queue.wait_and_take("me"), std::nullopt); });
  queue.stop();
}

}  // namespace
}  // namespace cuset::judge
