// What input scripts draw (script_draws.py): plain numbers and their variations.
#include <gtest/gtest.h>

#include <cmath>

#include "judge/scripts/task_scripts_fixture.h"

namespace cuset::judge {
namespace {

class ScriptDrawsTest : public TaskScriptsTest {};

struct Moments {
  double mean = 0, deviation = 0, least = INFINITY, most = -INFINITY, zeros = 0;
};

Moments moments_of(const tasks::Array& array) {
  const std::vector<double> numbers = array.to_doubles();
  Moments result;
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

struct DrawCase {
  const char* expression;
  double mean, deviation, least, most;
};

// A task with one input of 20,000 numbers for each expression.
template <typename Cases>
tasks::Task drawing(const Cases& cases, bool torch) {
  std::string script = "import numpy as np\nimport random\nrng = np.random.default_rng(1)\n";
  script += torch ? "import torch\ndef save(x, name):\n    x.double().numpy().tofile(f'data/{name}.bin')\n"
                  : "def save(x, name):\n    np.asarray(x, np.float64).tofile(f'data/{name}.bin')\n";
  std::vector<tasks::TaskInput> inputs;
  for (size_t i = 0; i < std::size(cases); ++i) {
    script += fmt::format("save({}, 'x{}')\n", cases[i].expression, i);
    inputs.push_back(input_named(fmt::format("x{}", i), tasks::NumberType::kFloat64, {20000}));
  }
  return script_task(script, std::move(inputs));
}

// Mean, deviation, least, most of 20,000 draws; standard errors of the mean are below 0.01 of the deviation.
template <typename Cases>
void expect_moments(const Cases& cases, const ScriptedTrials& made) {
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  for (size_t i = 0; i < std::size(cases); ++i) {
    const DrawCase& wanted = cases[i];
    const Moments moments = moments_of(made.inputs[0][i]);
    EXPECT_NEAR(moments.mean, wanted.mean, wanted.deviation * 0.04) << wanted.expression;
    EXPECT_NEAR(moments.deviation, wanted.deviation, wanted.deviation * 0.05) << wanted.expression;
    EXPECT_GE(moments.least, wanted.least) << wanted.expression;
    EXPECT_LE(moments.most, wanted.most) << wanted.expression;
  }
}

TEST_F(ScriptDrawsTest, PlainDrawsHaveTheirDistribution) {
  const DrawCase kDraws[] = {
      {"np.random.rand(100, 200)", 0.5, 0.2887, 0, 1},
      {"np.random.random_sample(20000)", 0.5, 0.2887, 0, 1},
      {"np.random.uniform(-2, 4, size=(20000,))", 1, 1.732, -2, 4},
      {"np.random.randn(20000).astype(np.float32) * 3 + 1", 1, 3, -17, 19},
      {"np.random.normal(5, 0.5, 20000)", 5, 0.5, 2, 8},
      {"np.random.RandomState(3).normal(size=20000)", 0, 1, -6, 6},
      {"rng.standard_normal(20000, dtype=np.float32)", 0, 1, -6, 6},
      {"rng.integers(0, 10, 20000)", 4.5, 2.872, 0, 9},
      {"np.random.randint(-100, 100, size=20000, dtype=np.int32)", -0.5, 57.7, -100, 99},
      {"np.random.randint(8, size=20000)", 3.5, 2.291, 0, 7},
      {"np.random.choice([1.0, 3.0], size=20000, p=[0.25, 0.75])", 2.5, 0.866, 1, 3},
      {"np.random.choice(20000, 20000, replace=False)", 9999.5, 5773.5, 0, 19999},
      {"np.random.permutation(20000)", 9999.5, 5773.5, 0, 19999},
      {"np.random.gamma(4, 1, 20000)", 4, 2, 0, 40},
      {"[random.random() for i in range(20000)]", 0.5, 0.2887, 0, 1},
      {"[random.randint(1, 6) for i in range(20000)]", 3.5, 1.708, 1, 6},
  };
  expect_moments(kDraws, run(drawing(kDraws, false)));
}

TEST_F(ScriptDrawsTest, PlainDrawsOfTorchHaveTheirDistribution) {
  if (!python_->has_torch) GTEST_SKIP() << "skipped: " << python_->version << " has no torch";
  const DrawCase kDraws[] = {
      {"torch.rand(20000, device='cuda')", 0.5, 0.2887, 0, 1},
      {"torch.randn(200, 100).cuda().to('cuda:0') ** 2", 1, 1.414, 0, 36},
      {"torch.randint(0, 1000, (20000,), dtype=torch.int64)", 499.5, 288.7, 0, 999},
      {"torch.randint(8, (20000,))", 3.5, 2.291, 0, 7},
      {"torch.randperm(20000)", 9999.5, 5773.5, 0, 19999},
      {"torch.empty(20000).uniform_(-1, 1)", 0, 0.577, -1, 1},
      {"torch.empty(20000).normal_(2, 3)", 2, 3, -16, 20},
      {"torch.randn_like(torch.zeros(20000))", 0, 1, -6, 6},
      {"torch.normal(5.0, 0.5, (20000,))", 5, 0.5, 2, 8},
      {"torch.bernoulli(torch.full((20000,), 0.25))", 0.25, 0.433, 0, 1},
  };
  const ScriptedTrials made =
      scripts_.run(drawing(kDraws, true), draws_of(tasks::Variation::kPlain, 1, 2), false);
  expect_moments(kDraws, made);
  for (size_t i = 0; i < std::size(kDraws); ++i)
    EXPECT_NE(made.inputs[0][i].bytes, made.inputs[1][i].bytes) << kDraws[i].expression;
}

TEST_F(ScriptDrawsTest, VariationsKeepTheSupportAndAreWhatTheirNamesSay) {
  const DrawCase kDraws[] = {{"np.random.rand(20000)", 0, 0, 0, 0},
                             {"np.random.randint(3, 50, size=20000)", 0, 0, 0, 0},
                             {"np.random.randn(20000)", 0, 0, 0, 0}};
  const tasks::Task task = drawing(kDraws, false);
  std::vector<InputDraw> draws;
  for (uint64_t i = 0; i < 4 * tasks::kSpreads; ++i)
    draws.push_back({static_cast<tasks::Variation>(i % tasks::kSpreads), base::RandomStream(9, i)});
  const ScriptedTrials made = scripts_.run(task, draws, false);
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  for (size_t i = 0; i < draws.size(); ++i) {
    const tasks::Variation variation = draws[i].variation;
    const Moments uniform = moments_of(made.inputs[i][0]);
    EXPECT_GT(uniform.least, 0) << tasks::name_of(variation);
    EXPECT_LT(uniform.most, 1) << tasks::name_of(variation);
    if (variation == tasks::Variation::kHeavyTailed) {
      EXPECT_LT(uniform.mean, 0.25);
    }
    const Moments whole = moments_of(made.inputs[i][1]);
    EXPECT_GE(whole.least, 3) << tasks::name_of(variation);
    EXPECT_LE(whole.most, 49) << tasks::name_of(variation);
    EXPECT_GT(whole.deviation, 1) << tasks::name_of(variation);
    const Moments normal = moments_of(made.inputs[i][2]);
    EXPECT_LE(std::max(-normal.least, normal.most), 12) << tasks::name_of(variation);
    EXPECT_GT(normal.deviation, 0.12) << tasks::name_of(variation);
    EXPECT_LT(normal.deviation, 2.1) << tasks::name_of(variation);
    if (variation == tasks::Variation::kZerosAndSigns) {
      EXPECT_NEAR(normal.zeros, 0.25, 0.02);
    }
    if (variation == tasks::Variation::kShifted) {
      EXPECT_GT(std::abs(normal.mean), 0.45);
    }
    if (variation == tasks::Variation::kHeavyTailed) {
      EXPECT_NEAR(normal.deviation, 1, 0.1);
    }
    if (variation == tasks::Variation::kHeavyTailed) {
      EXPECT_GT(normal.most, 6);
    }
  }
}

TEST_F(ScriptDrawsTest, PeaksStandOnALevelAsFarInEveryInput) {
  const DrawCase kDraws[] = {{"np.random.rand(200, 100)", 0, 0, 0, 0},
                             {"np.random.randn(20000)", 0, 0, 0, 0}};
  const base::RandomStream stream(9, "peaks");
  std::vector<InputDraw> draws;
  for (const int places : {0, 1, 2, 4, 7})
    draws.push_back(
        {tasks::Variation::kPeak, stream, {tasks::Peaks::Level::kMiddle, static_cast<uint8_t>(places)}});
  const ScriptedTrials made = scripts_.run(drawing(kDraws, false), draws, false);
  ASSERT_EQ(made.outcome, Outcome::kCorrect) << made.explanation;
  std::vector<uint64_t> inner;
  for (size_t input = 0; input < 2; ++input) {
    const auto numbers = [&](size_t trial) { return made.inputs[trial][input].to_doubles(); };
    const std::vector<double> none = numbers(0), all = numbers(4);
    EXPECT_EQ(moments_of(made.inputs[0][input]).least, moments_of(made.inputs[0][input]).most);
    EXPECT_NEAR(none[0], input == 0 ? 0.5 : 0, 1e-6);
    size_t peaks = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == none[i]) continue;
      ++peaks;
      const size_t trial = i == 0 ? 1 : i + 1 == all.size() ? 2 : 3;
      EXPECT_EQ(numbers(trial)[i], all[i]);
      if (trial == 3) inner.push_back(i);
    }
    EXPECT_EQ(peaks, 3u);
  }
  ASSERT_EQ(inner.size(), 2u);
  EXPECT_EQ(inner[0], inner[1]);
}

}  // namespace
}  // namespace cuset::judge
