#include "objective/sample_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace cuset::objective {
namespace {

// Equation 5 and 6, term by term; p counted from 1 as there.
std::vector<double> naive_confidence(const std::vector<double>& p, int64_t window) {
  const int64_t tokens = static_cast<int64_t>(p.size());
  std::vector<double> means;
  for (int64_t t = 1; t <= tokens; ++t) {
    double sum = 0;
    int64_t count = 0;
    for (int64_t j = t - window / 2; j <= t + (window + 1) / 2 - 1; ++j) {
      if (j < 1 || j > tokens) continue;
      sum += p[static_cast<size_t>(j - 1)];
      ++count;
    }
    means.push_back(sum / static_cast<double>(count));
  }
  return means;
}

std::vector<double> values_of(const torch::Tensor& tensor) {
  const auto values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

TEST(WindowConfidence, ByHand) {
  const auto p = torch::tensor({1.0, 0.5, 0.0, 0.25, 0.75}, torch::kFloat64);
  EXPECT_EQ(values_of(window_confidence(p, 1)), (std::vector<double>{1, 0.5, 0, 0.25, 0.75}));
  EXPECT_EQ(values_of(window_confidence(p, 2)), (std::vector<double>{1, 0.75, 0.25, 0.125, 0.5}));
  EXPECT_EQ(values_of(window_confidence(p, 3)), (std::vector<double>{0.75, 0.5, 0.25, 1.0 / 3, 0.5}));
  EXPECT_EQ(values_of(window_confidence(p, 4)), (std::vector<double>{0.75, 0.5, 0.4375, 0.375, 1.0 / 3}));
}

// With T < l the windows are clipped like all others: they need not reach over the whole sample.
TEST(WindowConfidence, ShorterThanTheWindowIsStillClipped) {
  const auto p = torch::tensor({1.0, 0.5, 0.0}, torch::kFloat64);
  EXPECT_EQ(values_of(window_confidence(p, 4)), (std::vector<double>{0.75, 0.5, 0.5}));
}

TEST(WindowConfidence, AllEdgeLengthsMatchTheNaiveLoop) {
  torch::manual_seed(1);
  for (const int64_t window : {1, 2, 3, 4, 7, 8, 31, 32, 256, 257}) {
    for (const int64_t tokens : {int64_t{1}, int64_t{2}, window / 2, window / 2 + 1, window - 1, window,
                                 window + 1, 2 * window, 3 * window + 1}) {
      if (tokens < 1) continue;
      const auto p = torch::rand({tokens}, torch::kFloat64);
      const auto wanted = naive_confidence(values_of(p), window);
      const auto found = values_of(window_confidence(p, window));
      ASSERT_EQ(found.size(), wanted.size());
      for (size_t t = 0; t < wanted.size(); ++t) {
        ASSERT_NEAR(found[t], wanted[t], 1e-12) << "window " << window << ", T " << tokens << ", t " << t;
      }
    }
  }
}

TEST(WindowConfidence, KeepsTheTypeAndTakesAWindowOfAnySize) {
  const auto p = torch::tensor({0.5F, 0.25F, 0.0F});
  const auto confidence = window_confidence(p, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(confidence.scalar_type(), torch::kFloat32);
  EXPECT_EQ(values_of(confidence), (std::vector<double>{0.25, 0.25, 0.25}));
  EXPECT_EQ(window_confidence(torch::empty({0}), 4).numel(), 0);
}

TEST(LowestWindows, SamplesOfAPackEqualEachAloneToTheBit) {
  torch::manual_seed(2);
  const std::vector<int64_t> lengths = {1, 15, 16, 17, 0, 300, 1, 2, 64};
  std::vector<int64_t> borders = {0};
  for (const int64_t length : lengths) borders.push_back(borders.back() + length);
  const auto p = torch::rand({borders.back()});
  for (const int64_t window : {1, 15, 16, 1000}) {
    const auto all = lowest_windows(p, make_row_segments(borders, torch::kCPU), window);
    for (size_t i = 0; i < lengths.size(); ++i) {
      const auto sample = p.slice(0, borders[i], borders[i + 1]);
      const auto alone = lowest_windows(sample, make_row_segments({0, lengths[i]}, torch::kCPU), window);
      const auto place = static_cast<int64_t>(i);
      EXPECT_EQ(all.confidence[place].item<double>(), alone.confidence[0].item<double>());
      EXPECT_EQ(all.row[place].item<int64_t>(), alone.row[0].item<int64_t>());
    }
  }
}

TEST(LowestWindows, MatchTheNaiveMinimum) {
  torch::manual_seed(3);
  for (const int64_t tokens : {1, 5, 6, 7, 100}) {
    const auto p = torch::rand({tokens}, torch::kFloat64);
    const auto means = naive_confidence(values_of(p), 6);
    const auto wanted = std::min_element(means.begin(), means.end());
    const auto found = lowest_windows(p, make_row_segments({0, tokens}, torch::kCPU), 6);
    EXPECT_NEAR(found.confidence.item<double>(), *wanted, 1e-12);
    EXPECT_EQ(found.row.item<int64_t>(), wanted - means.begin());
  }
}

TEST(LowestWindows, TheFirstOfEquallyLowWindowsCounts) {
  const auto p = torch::tensor({1.0, 0.0, 0.0, 1.0, 0.25, 0.25}, torch::kFloat64);
  const auto found = lowest_windows(p, make_row_segments({0, 4, 6}, torch::kCPU), 1);
  EXPECT_EQ(values_of(found.row), (std::vector<double>{1, 0}));
  EXPECT_EQ(values_of(found.confidence), (std::vector<double>{0, 0.25}));
}

TEST(LowestWindows, RefusedTokensDoNotCount) {
  const auto p = torch::tensor({0.5, 0.01, 0.75, 0.01, 0.01, 0.25}, torch::kFloat64);
  const auto accepted = torch::tensor({true, false, true, false, false, true});
  const auto segments = make_row_segments({0, 4, 5, 6}, torch::kCPU);
  const auto found = lowest_windows(p, segments, 3, accepted);
  EXPECT_EQ(values_of(found.confidence), (std::vector<double>{0.5, 1, 0.25}));
  const auto all = lowest_windows(p, segments, 3, torch::ones_like(accepted));
  EXPECT_TRUE(torch::equal(all.confidence, lowest_windows(p, segments, 3).confidence));
}

TEST(LowestWindows, ASampleWithoutRowsCountsAsCertain) {
  const auto found = lowest_windows(torch::tensor({0.5F}), make_row_segments({0, 0, 1, 1}, torch::kCPU), 4);
  EXPECT_EQ(values_of(found.confidence), (std::vector<double>{1, 0.5, 1}));
  EXPECT_EQ(values_of(found.row), (std::vector<double>{0, 0, 0}));
}

TEST(LowestWindows, WhatIsNotANumberStaysInItsSample) {
  const auto p = torch::tensor({0.5, std::nan(""), 0.5, 0.25}, torch::kFloat64);
  const auto found = lowest_windows(p, make_row_segments({0, 2, 4}, torch::kCPU), 1);
  EXPECT_EQ(values_of(found.confidence), (std::vector<double>{0, 0.25}));
}

TEST(RowSegments, BordersThatDoNotFitAreRefused) {
  EXPECT_THROW(make_row_segments({}, torch::kCPU), base::CheckFailure);
  EXPECT_THROW(make_row_segments({1, 2}, torch::kCPU), base::CheckFailure);
  EXPECT_THROW(lowest_windows(torch::ones({3}), make_row_segments({0, 2}, torch::kCPU), 4),
               base::CheckFailure);
  EXPECT_THROW(window_confidence(torch::ones({3}), 0), base::CheckFailure);
}

}  // namespace
}  // namespace cuset::objective
