#include "generate/sampling.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/stats/random.h"
#include "support/error_text.h"

namespace cuset::generate {
namespace {

// Probabilities 0.4, 0.3, 0.2, 0.1 of tokens 2, 0, 3, 1.
const std::vector<float> kLogits = {std::log(3.0f), std::log(1.0f), std::log(4.0f), std::log(2.0f)};

void expect_distribution(const SamplingRow& row, const std::vector<double>& wanted,
                         std::span<const float> logits = kLogits) {
  const std::vector<double> got = filtered_distribution(logits, row);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6) << i;
}

SamplingRow row_of(const SamplingSettings& settings, std::span<const UsedToken> used = {}, double draw = 0) {
  return {.settings = settings, .used = used, .draw = draw};
}

TEST(Sampling, GreedyTakesTheBestAndOfEqualOnesTheFirst) {
  expect_distribution(row_of({}), {0, 0, 1, 0});
  const std::vector<float> tied = {1, 5, 5, 0};
  expect_distribution(row_of({}), {0, 1, 0, 0}, tied);
}

TEST(Sampling, TemperatureSharpensAndFlattens) {
  expect_distribution(row_of({.temperature = 1}), {0.3, 0.1, 0.4, 0.2});
  expect_distribution(row_of({.temperature = 0.5}), {9.0 / 30, 1.0 / 30, 16.0 / 30, 4.0 / 30});
}

TEST(Sampling, TopKKeepsAllThatTieWithTheLast) {
  expect_distribution(row_of({.temperature = 1, .top_k = 2}), {3.0 / 7, 0, 4.0 / 7, 0});
  expect_distribution(row_of({.temperature = 1, .top_k = 9}), {0.3, 0.1, 0.4, 0.2});
  const std::vector<float> tied = {1, 1, 2, 1};
  const double e = std::exp(1.0);
  const double sum = e + 3;
  expect_distribution(row_of({.temperature = 1, .top_k = 2}), {1 / sum, 1 / sum, e / sum, 1 / sum}, tied);
}

TEST(Sampling, TopPKeepsTheTokenThatReachesTheShare) {
  expect_distribution(row_of({.temperature = 1, .top_p = 0.65}), {3.0 / 7, 0, 4.0 / 7, 0});
  expect_distribution(row_of({.temperature = 1, .top_p = 0.75}), {3.0 / 9, 0, 4.0 / 9, 2.0 / 9});
  expect_distribution(row_of({.temperature = 1, .top_p = 0.001}), {0, 0, 1, 0});
}

TEST(Sampling, TopPCountsAmongWhatTopKLeft) {
  // Of 4/9, 3/9, 2/9 the first two have 0.78: 0.75 of what is left, though only 0.7 of all.
  expect_distribution(row_of({.temperature = 1, .top_k = 3, .top_p = 0.75}), {3.0 / 7, 0, 4.0 / 7, 0});
}

TEST(Sampling, MinPIsRelativeToTheBest) {
  expect_distribution(row_of({.temperature = 1, .min_p = 0.6}), {3.0 / 7, 0, 4.0 / 7, 0});
  expect_distribution(row_of({.temperature = 1, .min_p = 1}), {0, 0, 1, 0});
}

TEST(Sampling, RepetitionPenaltyLowersSeenTokensWhateverTheirSign) {
  const std::vector<float> logits = {2, -2, 1};
  const std::vector<UsedToken> used = {{0, 0}, {1, 2}};
  const double a = std::exp(1.0), b = std::exp(-4.0), c = std::exp(1.0);
  const double sum = a + b + c;
  expect_distribution(row_of({.temperature = 1, .repetition_penalty = 2}, used), {a / sum, b / sum, c / sum},
                      logits);
  const std::vector<UsedToken> first = {{2, 0}};
  expect_distribution(row_of({.repetition_penalty = 1.5}, first), {1, 0, 0, 0});
}

TEST(Sampling, DrawWalksAlongTheFallingOrder) {
  const torch::Tensor logits = torch::tensor(kLogits).unsqueeze(0);
  for (const auto& [draw, id] : std::map<double, int64_t>{
           {0, 2}, {0.39, 2}, {0.41, 0}, {0.69, 0}, {0.71, 3}, {0.91, 1}, {0.9999999, 1}}) {
    const SamplingRow row = row_of({.temperature = 1}, {}, draw);
    const SampledToken token = sample_tokens(logits, {&row, 1})[0];
    EXPECT_EQ(token.id, id) << draw;
    EXPECT_NEAR(token.confidence, std::exp(kLogits[static_cast<size_t>(id)]) / 10, 1e-6);
  }
}

TEST(Sampling, ConfidenceIsOfTheUnchangedDistribution) {
  const torch::Tensor logits = torch::tensor(kLogits).unsqueeze(0);
  const std::vector<UsedToken> used = {{2, 1}};
  for (const bool by_candidates : {false, true}) {
    const SamplingRow row = row_of({.temperature = 0.2, .top_k = 1, .repetition_penalty = 3}, used);
    const SampledToken token =
        sample_tokens(logits, {&row, 1}, {.candidates = 2, .always_by_candidates = by_candidates})[0];
    EXPECT_EQ(token.id, 0);
    EXPECT_NEAR(token.confidence, 0.3, 1e-6);
  }
}

TEST(Sampling, LogProbabilityIsOfTheScaledDistributionWithoutFilters) {
  const auto logits = torch::tensor({{1.0F, 2.0F, 0.5F, -1.0F}});
  for (const double temperature : {0.5, 1.0, 1.7}) {
    const auto wanted = (logits[0].to(torch::kFloat64) / temperature).log_softmax(0);
    for (const bool by_candidates : {false, true}) {
      for (const double draw : {0.1, 0.9}) {
        SamplingRow row = row_of({.temperature = temperature, .top_p = 0.95}, {}, draw);
        row.wants_log_probability = true;
        const SampledToken token =
            sample_tokens(logits, std::span(&row, 1), {.always_by_candidates = by_candidates})[0];
        EXPECT_NEAR(token.log_probability, wanted[token.id].item<double>(), 1e-6);
      }
    }
  }
}

TEST(Sampling, BrokenLogitsAreAnError) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const torch::Tensor logits = torch::tensor({{1.0f, bad, 0.0f}});
    for (const double temperature : {0.0, 1.0}) {
      for (const bool by_candidates : {false, true}) {
        const SamplingRow row = row_of({.temperature = temperature});
        EXPECT_NE(support::error_of([&] {
                    sample_tokens(logits, {&row, 1}, {.always_by_candidates = by_candidates});
                  }).find("not finite numbers"),
                  std::string::npos);
      }
    }
  }
}

TEST(Sampling, SettingsOutOfRangeAreNamed) {
  EXPECT_EQ(support::error_of([] { SamplingSettings{.temperature = -1}.check(); }),
            "temperature is -1, but must be 0 or above");
  EXPECT_EQ(support::error_of([] { SamplingSettings{.top_p = 0}.check(); }),
            "top_p is 0, but must be above 0 and at most 1");
  EXPECT_EQ(support::error_of([] { SamplingSettings{.min_p = 2}.check(); }),
            "min_p is 2, but must be in 0 to 1");
  EXPECT_EQ(support::error_of([] { SamplingSettings{.repetition_penalty = 0}.check(); }),
            "repetition_penalty is 0, but must be in 0.0001 to 1000000");
}

// Rows of every kind of settings, with logits so coarse that many are equal, as bfloat16 heads give them.
struct ManyRows {
  explicit ManyRows(uint64_t seed, int64_t vocab = 700) {
    base::RandomStream random(seed, "rows");
    const std::vector<SamplingSettings> kinds = {
        {},
        {.repetition_penalty = 1.3},
        {.temperature = 1},
        {.temperature = 0.3},
        {.temperature = 5},
        {.temperature = 0.8, .top_k = 20},
        {.temperature = 0.8, .top_p = 0.9},
        {.temperature = 0.8, .min_p = 0.05},
        {.temperature = 1.2, .top_k = 300, .top_p = 0.95, .min_p = 0.01, .repetition_penalty = 1.1},
        {.temperature = 2, .top_p = 0.999},
        {.temperature = 1, .presence_penalty = 1.5, .frequency_penalty = 0.25},
        {.repetition_penalty = 0.8, .presence_penalty = -1, .frequency_penalty = -0.5}};
    std::vector<float> values;
    for (size_t i = 0; i < 48; ++i) {
      const double spread = i % 3 == 0 ? 0.5 : 4;
      for (int64_t j = 0; j < vocab; ++j) {
        values.push_back(static_cast<float>(std::round(spread * random.normal() * 16) / 16));
      }
      std::vector<UsedToken>& tokens = used.emplace_back();
      for (const size_t id : random.sample_without_replacement(30, static_cast<size_t>(vocab))) {
        tokens.push_back({static_cast<int64_t>(id), static_cast<int64_t>(random.below(4))});
      }
      settings.push_back(row_of(kinds[i % kinds.size()], {}, random.uniform()));
      biases.push_back({{static_cast<int64_t>(i), 4},
                        {tokens[0].id + (tokens[0].id == std::ssize(biases) ? 1 : 0), -8},
                        {600, kForbidden}});
    }
    for (size_t i = 0; i < settings.size(); ++i) {
      settings[i].used = used[i];
      if (i % 4 == 1) settings[i].bias = biases[i];
    }
    logits = torch::tensor(values).view({-1, vocab});
  }

  torch::Tensor logits;
  std::vector<std::vector<UsedToken>> used;
  std::vector<std::vector<TokenBias>> biases;
  std::vector<SamplingRow> settings;
};

TEST(Sampling, CandidatesDecideAsTheWholeRowDoes) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const ManyRows rows(seed);
    const std::vector<SampledToken> whole = sample_tokens(rows.logits, rows.settings);
    for (const int64_t candidates : {2, 30, 256, 1000}) {
      const std::vector<SampledToken> few =
          sample_tokens(rows.logits, rows.settings, {.candidates = candidates, .always_by_candidates = true});
      for (size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(few[i].id, whole[i].id) << "seed " << seed << " row " << i << " of " << candidates;
        EXPECT_NEAR(few[i].confidence, whole[i].confidence, 1e-6);
      }
    }
  }
}

TEST(Sampling, RowsDoNotKnowEachOther) {
  const ManyRows rows(3);
  for (const bool by_candidates : {false, true}) {
    const SamplingOptions options{.candidates = 16, .always_by_candidates = by_candidates};
    const std::vector<SampledToken> together = sample_tokens(rows.logits, rows.settings, options);
    for (size_t i = 0; i < together.size(); ++i) {
      const auto index = static_cast<int64_t>(i);
      const SampledToken alone =
          sample_tokens(rows.logits.slice(0, index, index + 1), {&rows.settings[i], 1}, options)[0];
      EXPECT_EQ(alone.id, together[i].id);
      // By candidates the CPU's own exponential plays a part, which differs in the last bit by position.
      EXPECT_NEAR(alone.confidence, together[i].confidence, by_candidates ? 1e-6 : 0);
    }
  }
}

TEST(Sampling, TopTokensHaveTheLogProbabilitiesOfTheUnfilteredDistribution) {
  const torch::Tensor logits = torch::tensor(std::vector<float>{1, 3, 2, 3, -1}).unsqueeze(0);
  for (const double temperature : {0.0, 0.5, 1.0}) {
    const torch::Tensor wanted =
        (logits[0].to(torch::kFloat64) / (temperature > 0 ? temperature : 1)).log_softmax(0);
    for (const bool by_candidates : {false, true}) {
      SamplingRow row = row_of({.temperature = temperature, .top_k = 1}, {}, 0.3);
      row.wants_log_probability = true;
      row.top_tokens = 3;
      const SampledToken token =
          sample_tokens(logits, {&row, 1}, {.candidates = 2, .always_by_candidates = by_candidates})[0];
      ASSERT_EQ(token.top.size(), 3u);
      const std::vector<int64_t> ids = {token.top[0].id, token.top[1].id, token.top[2].id};
      EXPECT_EQ(ids, (std::vector<int64_t>{1, 3, 2}));
      for (const TokenLogProbability& top : token.top)
        EXPECT_NEAR(top.log_probability, wanted[top.id].item<double>(), 1e-6) << temperature;
    }
  }
}

// As a plain loop over the definitions of OpenAI and vLLM has them.
TEST(Sampling, PenaltiesByCountAreTakenFromTheScoresOfTheAnswersTokens) {
  const std::vector<float> logits = {2, 1, 0.5, -1, 0};
  const std::vector<UsedToken> used = {{0, 3}, {1, 1}, {2, 0}, {3, 2}};  // token 2 is in the prompt alone
  const std::vector<TokenBias> bias = {{3, 5}, {4, kForbidden}};
  SamplingRow row = row_of(
      {.temperature = 0.5, .repetition_penalty = 2, .presence_penalty = 0.5, .frequency_penalty = 0.25},
      used);
  row.bias = bias;
  const std::vector<double> scores = {2.0 / 2 - 0.75 - 0.5, 1.0 / 2 - 0.25 - 0.5, 0.5 / 2,
                                      4.0 / 2 - 0.5 - 0.5};
  double sum = 0;
  for (const double score : scores) sum += std::exp(score / 0.5);
  std::vector<double> wanted;
  for (const double score : scores) wanted.push_back(std::exp(score / 0.5) / sum);
  wanted.push_back(0);
  expect_distribution(row, wanted, logits);
}

TEST(Sampling, LogProbabilitiesAreThoseBeforeBiasAndPenalty) {
  const torch::Tensor logits = torch::tensor(kLogits).unsqueeze(0);
  const std::vector<UsedToken> used = {{2, 4}};
  const std::vector<TokenBias> bias = {{0, -100}};
  for (const bool by_candidates : {false, true}) {
    SamplingRow row = row_of({.temperature = 0.5, .top_k = 1, .presence_penalty = 2}, used);
    row.bias = bias;
    row.wants_log_probability = true;
    row.top_tokens = 2;
    const SampledToken token =
        sample_tokens(logits, {&row, 1}, {.candidates = 2, .always_by_candidates = by_candidates})[0];
    EXPECT_EQ(token.id, 3);
    EXPECT_NEAR(token.log_probability, std::log(4.0 / 30), 1e-6);
    ASSERT_EQ(token.top.size(), 2U);
    EXPECT_EQ(token.top[0].id, 2);
    EXPECT_NEAR(token.top[0].log_probability, std::log(16.0 / 30), 1e-6);
  }
}

TEST(Sampling, ARowOfForbiddenTokensStillHasABestOne) {
  const torch::Tensor logits = torch::tensor(kLogits).unsqueeze(0);
  const std::vector<TokenBias> bias = {{0, kForbidden}, {1, kForbidden}, {2, kForbidden}, {3, kForbidden}};
  for (const double temperature : {0.0, 1e-4, 1.0}) {
    for (const bool by_candidates : {false, true}) {
      SamplingRow row = row_of({.temperature = temperature, .repetition_penalty = 1e6}, {}, 0.9);
      row.bias = bias;
      EXPECT_NO_THROW(sample_tokens(logits, {&row, 1}, {.always_by_candidates = by_candidates}));
    }
  }
}

TEST(Sampling, GivenTokensHaveTheLogProbabilitiesOfTheirLogits) {
  const ManyRows rows(11);
  std::vector<int64_t> targets;
  for (int64_t i = 0; i < rows.logits.size(0); ++i) targets.push_back(7 * i % rows.logits.size(1));
  const GivenTokens given{.targets = targets, .temperature = 0.7, .top_tokens = 5};
  const torch::Tensor wanted = (rows.logits.to(torch::kFloat64) / 0.7).log_softmax(1);
  const std::vector<SampledToken> host = score_tokens(rows.logits, given);
  const std::vector<SampledToken> device = score_tokens(rows.logits, given, {.always_by_candidates = true});
  for (size_t i = 0; i < targets.size(); ++i) {
    const torch::Tensor row = wanted[static_cast<int64_t>(i)];
    const torch::Tensor best = std::get<0>(torch::topk(row, 5));
    for (const SampledToken& token : {host[i], device[i]}) {
      EXPECT_NEAR(token.log_probability, row[targets[i]].item<double>(), 1e-5) << i;
      ASSERT_EQ(token.top.size(), 5U);
      for (int64_t j = 0; j < 5; ++j) {
        const TokenLogProbability& top = token.top[static_cast<size_t>(j)];
        EXPECT_NEAR(top.log_probability, best[j].item<double>(), 1e-5);
        EXPECT_NEAR(top.log_probability, row[top.id].item<double>(), 1e-5);
      }
    }
  }
}

TEST(Sampling, FrequenciesFollowTheDistribution) {
  const torch::Tensor logits = torch::tensor(kLogits).unsqueeze(0);
  const SamplingSettings settings{.temperature = 0.7, .top_p = 0.95};
  const std::vector<double> wanted = filtered_distribution(kLogits, row_of(settings));
  std::vector<int> counts(4, 0);
  base::RandomStream random(5, "draws");
  constexpr int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const SamplingRow row = row_of(settings, {}, random.uniform());
    ++counts[static_cast<size_t>(sample_tokens(logits, {&row, 1})[0].id)];
  }
  for (size_t i = 0; i < 4; ++i) {
    const double deviation = std::sqrt(draws * wanted[i] * (1 - wanted[i]));
    EXPECT_NEAR(counts[i], draws * wanted[i], 4 * deviation + 1e-9) << i;
  }
}

}  // namespace
}  // namespace cuset::generate
