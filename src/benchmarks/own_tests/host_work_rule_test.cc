#include "benchmarks/own_tests/host_work_rule.h"

#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

constexpr uint64_t kFew = 1;  // launches

execute::HostWork of_tests(uint64_t bytes) {
  return {.answer_sources = 1, .data_bytes = 0, .operations = 0, .test_bytes = bytes, .test_calls = 1};
}

TEST(HostWorkRule, ReadingAllInputsIsTooMuchWhateverTheSizeOfTheTests) {
  for (const uint64_t floats : {1000u, 20000u, 1000000u}) {
    execute::HostWork work = of_tests(12 * floats);  // two inputs and an output
    work.data_bytes = 4 * floats;                    // reads one of them
    EXPECT_NE(too_much_host_work(work, kFew, 1).find("read and wrote"), std::string::npos) << floats;
    work.data_bytes = 4 * floats / 256;  // partial sums of blocks
    EXPECT_EQ(too_much_host_work(work, kFew, 1), "") << floats;
  }
}

TEST(HostWorkRule, LaunchesAllowMoreUpToALimit) {
  execute::HostWork work = of_tests(4000);
  work.data_bytes = 2500;
  EXPECT_NE(too_much_host_work(work, kFew, 1), "");
  EXPECT_EQ(too_much_host_work(work, 1000, 1), "");
  EXPECT_EQ(allowed_data_bytes(work, 5000), allowed_data_bytes(work, 1000000));
  EXPECT_EQ(allowed_operations(work, 70000), allowed_operations(work, 1000000));
}

TEST(HostWorkRule, OperationsCountWhereNoDataIsTouched) {
  execute::HostWork work = of_tests(8);
  work.operations = 1000000;
  EXPECT_NE(too_much_host_work(work, kFew, 1).find("1000000 operations"), std::string::npos);
  work.operations = 5000;
  EXPECT_EQ(too_much_host_work(work, kFew, 1), "");
}

TEST(HostWorkRule, WhatWasNotCountedIsTooMuch) {
  EXPECT_NE(too_much_host_work(std::nullopt, kFew, 1), "");
  EXPECT_NE(too_much_host_work(of_tests(4000), kFew, 2), "");
}

}  // namespace
}  // namespace cuset::benchmarks
