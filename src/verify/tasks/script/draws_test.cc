#include "verify/tasks/script/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "verify/tasks/input_script.h"

namespace cuset {
namespace {

Array written(const std::string& text, Variation variation = Variation::kPlain, uint64_t seed = 1) {
  return run_input_script(text, {"b"}, variation, RandomStream(seed, "test"))[0];
}

struct Moments {
  double mean = 0, deviation = 0, least = 0, most = 0, zeros = 0;
};

Moments moments_of(const Array& array) {
  const std::vector<double> numbers = array.to_doubles();
  Moments result{.least = INFINITY, .most = -INFINITY};
  const auto count = static_cast<double>(numbers.size());
  for (const double x : numbers) {
    result.mean += x / count;
    result.least = std::min(result.least, x);
    result.most = std::max(result.most, x);
    result.zeros += x == 0 ? 1 / count : 0;
  }
  for (const double x : numbers) result.deviation += (x - result.mean) * (x - result.mean) / count;
  result.deviation = std::sqrt(result.deviation);
  return result;
}

std::string drawing(const std::string& expression) {
  return "import numpy as np\nimport torch\nimport random\nrng = np.random.default_rng(1)\nb = " +
         expression + "\nb.tofile('b.bin')\n";
}

// mean, deviation, least, most of 20,000 draws; standard errors of the mean are below 0.01 of the deviation.
TEST(ScriptDraws, PlainOnesHaveTheirDistribution) {
  const std::tuple<const char*, double, double, double, double> kDraws[] = {
      {"np.random.rand(100, 200)", 0.5, 0.2887, 0, 1},
      {"np.random.random_sample(20000)", 0.5, 0.2887, 0, 1},
      {"np.random.uniform(-2, 4, size=(20000,))", 1, 1.732, -2, 4},
      {"np.random.randn(20000).astype(np.float32) * 3 + 1", 1, 3, -17, 19},
      {"np.random.normal(5, 0.5, 20000)", 5, 0.5, 2, 8},
      {"rng.standard_normal(20000, dtype=np.float32)", 0, 1, -6, 6},
      {"rng.integers(0, 10, 20000)", 4.5, 2.872, 0, 9},
      {"np.random.randint(-100, 100, size=20000, dtype=np.int32)", -0.5, 57.7, -100, 99},
      {"np.random.randint(8, size=20000)", 3.5, 2.291, 0, 7},
      {"torch.rand(20000)", 0.5, 0.2887, 0, 1},
      {"torch.randn(200, 100) ** 2", 1, 1.414, 0, 36},
      {"torch.randint(0, 1000, (20000,), dtype=torch.int64)", 499.5, 288.7, 0, 999},
      {"torch.randperm(20000)", 9999.5, 5773.5, 0, 19999},
      {"torch.empty(20000).uniform_(-1, 1)", 0, 0.577, -1, 1},
      {"torch.empty(20000).normal_(2, 3)", 2, 3, -16, 20},
      {"torch.randn_like(torch.zeros(20000))", 0, 1, -6, 6},
      {"np.random.choice([1.0, 3.0], size=20000, p=[0.25, 0.75])", 2.5, 0.866, 1, 3},
      {"np.random.choice(20000, 20000, replace=False)", 9999.5, 5773.5, 0, 19999},
      {"np.random.permutation(20000)", 9999.5, 5773.5, 0, 19999},
      {"np.array([random.random() for i in range(20000)])", 0.5, 0.2887, 0, 1},
  };
  for (const auto& [expression, mean, deviation, least, most] : kDraws) {
    const Array array = written(drawing(expression));
    ASSERT_EQ(array.count(), 20000u) << expression;
    const Moments moments = moments_of(array);
    EXPECT_NEAR(moments.mean, mean, deviation * 0.04) << expression;
    EXPECT_NEAR(moments.deviation, deviation, deviation * 0.05) << expression;
    EXPECT_GE(moments.least, least) << expression;
    EXPECT_LE(moments.most, most) << expression;
  }
}

TEST(ScriptDraws, EveryVariationKeepsTheSupport) {
  for (int i = 0; i < kVariations; ++i) {
    const auto variation = static_cast<Variation>(i);
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const Moments uniform = moments_of(written(drawing("torch.rand(5000)"), variation, seed));
      EXPECT_GT(uniform.least, 0) << name_of(variation);
      EXPECT_LT(uniform.most, 1) << name_of(variation);
      const Moments whole =
          moments_of(written(drawing("np.random.randint(3, 50, size=5000)"), variation, seed));
      EXPECT_GE(whole.least, 3) << name_of(variation);
      EXPECT_LE(whole.most, 49) << name_of(variation);
      EXPECT_GT(whole.deviation, 1) << name_of(variation);
      const Moments normal = moments_of(written(drawing("np.random.randn(5000)"), variation, seed));
      EXPECT_LE(std::max(-normal.least, normal.most), 12) << name_of(variation);
      EXPECT_GT(normal.deviation, 0.12) << name_of(variation);
      EXPECT_LT(normal.deviation, 2.1) << name_of(variation);
    }
  }
}

TEST(ScriptDraws, VariationsAreWhatTheirNamesSay) {
  const auto normal = [](Variation variation) {
    return moments_of(written(drawing("torch.randn(20000)"), variation));
  };
  EXPECT_NEAR(normal(Variation::kZerosAndSigns).zeros, 0.25, 0.02);
  EXPECT_GT(std::abs(normal(Variation::kShifted).mean), 0.45);
  EXPECT_NEAR(normal(Variation::kHeavyTailed).deviation, 1, 0.1);
  EXPECT_GT(normal(Variation::kHeavyTailed).most, 6);
  EXPECT_LT(moments_of(written(drawing("np.random.rand(20000)"), Variation::kHeavyTailed)).mean, 0.25);
}

}  // namespace
}  // namespace cuset
