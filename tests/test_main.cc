// Entry point of every test program.
#include <gtest/gtest.h>

#include <cstdio>

#include "base/cpu_instructions.h"

namespace {

// Says what was left out and why, in brief output too: tests/run.sh gathers these lines.
class SkipPrinter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override { test_ = &test; }

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.skipped() || test_ == nullptr) return;
    std::printf("%s.%s %s\n", test_->test_suite_name(), test_->name(), result.message());
  }

  const testing::TestInfo* test_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  cuset::avoid_missing_tiles();
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new SkipPrinter);  // which owns it
  return RUN_ALL_TESTS();
}
