#include "ops/cpu/row_parts.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace cuset::ops {
namespace {

TEST(RowParts, CoverEveryRowOnce) {
  for (const int64_t rows : {0, 1, 5, 64, 1001}) {
    std::vector<std::atomic<int>> visits(static_cast<size_t>(rows));
    for_row_parts(rows, 3, [&](int64_t, int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) ++visits[static_cast<size_t>(row)];
    });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(RowParts, FewRowsStayOnOneThread) {
  EXPECT_EQ(row_parts(0, 64), 1);
  EXPECT_EQ(row_parts(127, 64), 1);
  EXPECT_EQ(row_parts(int64_t{1} << 40, 64), at::get_num_threads());
}

// GCC's OpenMP is the one LibTorch has; see this module's CMakeLists.txt.
#if defined(__GNUC__) && !defined(__clang__)
TEST(RowParts, RunOnSeveralThreads) {
  const int before = at::get_num_threads();
  at::set_num_threads(2);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for_row_parts(100, 2, [&](int64_t, int64_t, int64_t) {
    const std::scoped_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  at::set_num_threads(before);
  EXPECT_EQ(threads.size(), 2U);
}
#endif

TEST(RowParts, EveryUnitIsWorkedOnOnce) {
  const int before = at::get_num_threads();
  at::set_num_threads(3);
  for (const int64_t units : {0, 1, 2, 100}) {
    std::vector<std::atomic<int>> visits(static_cast<size_t>(units));
    for_each_unit(units, [&](int64_t unit) { ++visits[static_cast<size_t>(unit)]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
  EXPECT_THROW(for_each_unit(10, [](int64_t) { throw std::runtime_error("in a thread"); }),
               std::runtime_error);
  at::set_num_threads(before);
}

TEST(RowParts, ExceptionsReachTheCaller) {
  EXPECT_THROW(
      for_row_parts(10, 2, [](int64_t, int64_t, int64_t) { throw std::runtime_error("in a thread"); }),
      std::runtime_error);
}

}  // namespace
}  // namespace cuset::ops
