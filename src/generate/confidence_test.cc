#include "generate/confidence.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/stats/random.h"

namespace cuset::generate {
namespace {

TEST(Confidence, OfNothingIsZero) {
  EXPECT_EQ(Confidence().mean(), 0);
  EXPECT_EQ(Confidence().lowest_window(), 0);
}

TEST(Confidence, LowestWindowOfSixtyFourNeighbors) {
  base::RandomStream random(1, "confidence");
  Confidence confidence;
  std::vector<double> values;
  for (size_t n = 1; n <= 300; ++n) {
    values.push_back(random.uniform());
    confidence.add(values.back());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
    EXPECT_NEAR(confidence.mean(), mean, 1e-12);
    double lowest = n < 64 ? mean : 1;
    for (size_t begin = 0; begin + 64 <= n; ++begin) {
      const auto first = values.begin() + static_cast<ptrdiff_t>(begin);
      lowest = std::min(lowest, std::accumulate(first, first + 64, 0.0) / 64);
    }
    EXPECT_NEAR(confidence.lowest_window(), lowest, 1e-12) << n;
  }
}

}  // namespace
}  // namespace cuset::generate
