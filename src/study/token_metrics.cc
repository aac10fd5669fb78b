#include "study/token_metrics.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/stats/statistics.h"

namespace cuset::study {
namespace {

// Confidences of all tokens, parted.
struct Parted {
  std::vector<double> sensitive;
  std::vector<double> neutral;
  std::array<std::vector<double>, kRegionKinds> of_kind;
};

Parted part(std::span<const AnalyzedSample> samples) {
  Parted parted;
  for (const AnalyzedSample& sample : samples) {
    for (const AnalyzedToken& token : sample.tokens) {
      (token.is_sensitive ? parted.sensitive : parted.neutral).push_back(token.confidence);
      for (const cuda_source::RegionKind kind : kinds_in(token.kinds)) {
        parted.of_kind[static_cast<size_t>(kind)].push_back(token.confidence);
      }
    }
  }
  return parted;
}

void require_both(const Parted& parted) {
  if (parted.sensitive.empty()) {
    throw base::Error("none of the {} tokens is CUDA-sensitive: there is nothing to compare",
                      parted.neutral.size())
        .with_remedy("give code with kernels or launches");
  }
  if (parted.neutral.empty()) {
    throw base::Error("all {} tokens are CUDA-sensitive: there is nothing to compare",
                      parted.sensitive.size())
        .with_remedy("give whole programs, or --labels structures");
  }
}

}  // namespace

std::vector<double> density_edges() {
  std::vector<double> edges;
  for (size_t i = 0; i <= kDensityBins; ++i) {
    edges.push_back(static_cast<double>(i) / static_cast<double>(kDensityBins));
  }
  return edges;
}

ConfidenceSpread spread_of(std::span<const double> confidences) {
  base::require_finite_sample(confidences, "confidences");
  ConfidenceSpread spread;
  spread.tokens = confidences.size();
  spread.mean = base::mean(confidences);
  const std::array wanted = {0.25, 0.5, 0.75};
  const std::vector<double> found = base::quantiles(confidences, wanted);
  spread.lower_quartile = found[0];
  spread.median = found[1];
  spread.upper_quartile = found[2];
  const std::vector<double> edges = density_edges();
  std::vector<size_t> counts(kDensityBins, 0);
  for (const double p : confidences) {
    if (p < 0 || p > 1) throw base::Error("a confidence is {}, but must be in 0 to 1", p);
    const auto above = std::upper_bound(edges.begin(), edges.end() - 1, p);
    ++counts[static_cast<size_t>(above - edges.begin()) - 1];
  }
  for (const size_t count : counts) {
    spread.density.push_back(static_cast<double>(count * kDensityBins) / static_cast<double>(spread.tokens));
  }
  return spread;
}

TokenMetrics token_metrics(std::span<const AnalyzedSample> samples) {
  const Parted parted = part(samples);
  require_both(parted);
  TokenMetrics metrics;
  metrics.sensitive = spread_of(parted.sensitive);
  metrics.neutral = spread_of(parted.neutral);
  metrics.test = base::smirnov_test(parted.sensitive, parted.neutral);
  for (size_t i = 0; i < kRegionKinds; ++i) {
    const std::vector<double>& values = parted.of_kind[i];
    if (values.empty()) continue;
    metrics.kinds.push_back({static_cast<cuda_source::RegionKind>(i), values.size(), base::mean(values),
                             base::quantile(values, 0.5)});
  }
  return metrics;
}

}  // namespace cuset::study
