#include "study/token_metrics.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"

namespace cuset::study {
namespace {

AnalyzedToken token_of(float confidence, KindSet kinds, bool is_sensitive) {
  AnalyzedToken token;
  token.confidence = confidence;
  token.kinds = kinds;
  token.is_sensitive = is_sensitive;
  return token;
}

TEST(SpreadOf, MetricsDoneByHand) {
  const ConfidenceSpread spread = spread_of(std::vector<double>{0.0, 0.25, 0.5, 0.75, 1.0});
  EXPECT_EQ(spread.tokens, 5u);
  EXPECT_EQ(spread.mean, 0.5);
  EXPECT_EQ(spread.lower_quartile, 0.25);
  EXPECT_EQ(spread.median, 0.5);
  EXPECT_EQ(spread.upper_quartile, 0.75);
}

TEST(SpreadOf, BinsHaveTheirLowerEdgeAndTheLastBoth) {
  // 0 and 0.019 in bin 0, 0.02 in bin 1, 0.5 in bin 25, 0.98 and 1 in bin 49.
  const ConfidenceSpread spread = spread_of(std::vector<double>{0.0, 0.019, 0.02, 0.5, 0.98, 1.0});
  ASSERT_EQ(spread.density.size(), kDensityBins);
  const double one = 50.0 / 6;
  std::vector<double> wanted(kDensityBins, 0);
  wanted[0] = 2 * one;
  wanted[1] = one;
  wanted[25] = one;
  wanted[49] = 2 * one;
  for (size_t i = 0; i < kDensityBins; ++i) EXPECT_DOUBLE_EQ(spread.density[i], wanted[i]) << i;
  EXPECT_NEAR(std::accumulate(spread.density.begin(), spread.density.end(), 0.0) / 50, 1, 1e-12);
}

TEST(SpreadOf, EveryEdgeBelongsToTheBinThatItOpens) {
  const std::vector<double> edges = density_edges();
  ASSERT_EQ(edges.size(), kDensityBins + 1);
  for (size_t i = 0; i < kDensityBins; ++i) {
    EXPECT_EQ(spread_of(std::vector<double>{edges[i]}).density[i], 50) << edges[i];
  }
}

TEST(SpreadOf, RefusesWhatIsNoProbability) {
  EXPECT_THROW(spread_of(std::vector<double>{}), base::Error);
  EXPECT_THROW(spread_of(std::vector<double>{0.5, 1.5}), base::Error);
  EXPECT_THROW(spread_of(std::vector<double>{-0.1}), base::Error);
  EXPECT_THROW(spread_of(std::vector<double>{std::nan("")}), base::Error);
}

TEST(TokenMetrics, PartsByLabelAndCountsEveryKind) {
  const KindSet shared = only(cuda_source::RegionKind::kSharedMemory);
  const KindSet body = only(cuda_source::RegionKind::kKernelBody);
  std::vector<AnalyzedSample> samples(2);
  samples[0].tokens = {token_of(0.25F, shared | body, true), token_of(0.75F, body, false)};
  samples[1].tokens = {token_of(0.5F, kNoKinds, false), token_of(1.0F, shared, true)};
  const TokenMetrics metrics = token_metrics(samples);
  EXPECT_EQ(metrics.sensitive.mean, 0.625);
  EXPECT_EQ(metrics.neutral.mean, 0.625);
  EXPECT_EQ(metrics.test.statistic, 0.5);
  EXPECT_TRUE(metrics.test.exact);
  ASSERT_EQ(metrics.kinds.size(), 2u);
  EXPECT_EQ(metrics.kinds[0].kind, cuda_source::RegionKind::kKernelBody);
  EXPECT_EQ(metrics.kinds[0].tokens, 2u);
  EXPECT_EQ(metrics.kinds[0].mean, 0.5);
  EXPECT_EQ(metrics.kinds[1].kind, cuda_source::RegionKind::kSharedMemory);
  EXPECT_EQ(metrics.kinds[1].median, 0.625);
}

TEST(TokenMetrics, OneKindOfTokensAloneIsRefused) {
  std::vector<AnalyzedSample> samples(1);
  samples[0].tokens = {token_of(0.5F, kNoKinds, false)};
  try {
    token_metrics(samples);
    FAIL() << "nothing was thrown";
  } catch (const base::Error& error) {
    EXPECT_EQ(
        error.one_line(),
        "none of the 1 tokens is CUDA-sensitive: there is nothing to compare (give code with kernels or "
        "launches)");
  }
  samples[0].tokens = {token_of(0.5F, kNoKinds, true)};
  EXPECT_THROW(token_metrics(samples), base::Error);
}

}  // namespace
}  // namespace cuset::study
