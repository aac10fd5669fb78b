#include "execute/run/order_trial.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

// A program whose output is what `output` says of the order and of how many runs there were before.
class OrderTrialTest : public testing::Test {
 protected:
  OrderTrialTest() {
    std::filesystem::create_directories(folder_ / "untouched");
    std::filesystem::create_directories(folder_ / "left");
    base::write_file_atomic(folder_ / "untouched/in", "in");
    base::write_file_atomic(folder_ / "left/in", "in");
  }

  // Findings after four other orders, as "kind x count: text".
  std::vector<std::string> findings(const std::function<std::string(uint64_t order, int number)>& output) {
    int number = 0;
    const auto run = [&](uint64_t order, const std::filesystem::path& folder) {
      EXPECT_EQ(order == 0 && number == 0 ? "in" : base::read_file(folder / "in"), "in");
      cuset::execute::Run result;
      result.outcome = interrupted_at_ == number ? cuset::execute::Run::Outcome::kInterrupted
                                                 : cuset::execute::Run::Outcome::kDone;
      result.process.exit_status = 0;
      result.process.output = output(order, number++);
      return result;
    };
    cuset::execute::Run usual = run(0, folder_ / "untouched");
    try_orders({run, folder_ / "untouched", folder_ / "left", 4, 10}, usual);
    runs_ = number;
    last_ = usual.outcome;
    std::vector<std::string> texts;
    for (const RunFinding& finding : usual.findings) {
      texts.push_back(fmt::format("{} x {}: {}", finding.kind, finding.count, finding.text));
    }
    return texts;
  }

  base::TemporaryFolder folder_;
  int interrupted_at_ = -1;
  int runs_ = 0;
  cuset::execute::Run::Outcome last_ = cuset::execute::Run::Outcome::kDone;
};

TEST_F(OrderTrialTest, EqualRunsAreRunOnce) {
  EXPECT_TRUE(findings([](uint64_t, int) { return "same\n"; }).empty());
  EXPECT_EQ(runs_, 5);
}

TEST_F(OrderTrialTest, DependenceIsReportedOnceAndCounted) {
  const auto found = findings([](uint64_t order, int) { return order < 12 ? "1\n" : "2\n"; });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(
      found[0],
      "order_dependent x 3: with the threads in order 12, line 1 of the output is \"2\" instead of \"1\"");
}

TEST_F(OrderTrialTest, WhatDiffersByItselfDoesNotCount) {
  EXPECT_TRUE(findings([](uint64_t, int number) { return fmt::format("{} ms\n", number); }).empty());
  // Unsteady in the other orders only: a coarse clock that showed the same twice.
  EXPECT_TRUE(findings([](uint64_t order, int number) {
                return order == 0 ? std::string("0 ms\n") : fmt::format("{} ms\n", number);
              }).empty());
}

TEST_F(OrderTrialTest, AnInterruptEndsIt) {
  interrupted_at_ = 2;
  EXPECT_TRUE(findings([](uint64_t order, int) { return fmt::format("{}\n", order == 12); }).empty());
  EXPECT_EQ(runs_, 3);
  EXPECT_EQ(last_, cuset::execute::Run::Outcome::kInterrupted);
}

}  // namespace
}  // namespace cuset::execute
