// How confident a model is of CUDA-sensitive and of neutral tokens (the paper's Fig. 1): means, quartiles,
// densities over 50 bins, and a two-sample Kolmogorov-Smirnov test of whether the two differ.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/stats/kolmogorov_smirnov.h"
#include "study/analyzed_sample.h"

namespace cuset::study {

inline constexpr size_t kDensityBins = 50;

// Edges of the bins, [kDensityBins + 1] from 0 to 1. A bin has its lower edge; the last has both.
std::vector<double> density_edges();

struct ConfidenceSpread {
  size_t tokens = 0;
  double mean = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  std::vector<double> density;  // [kDensityBins]: share of the tokens over the bin's width, so that it
                                // integrates to 1
};

// Throws Error for no values or one outside [0, 1].
ConfidenceSpread spread_of(std::span<const double> confidences);

struct KindConfidence {
  cuda_source::RegionKind kind;
  size_t tokens = 0;
  double mean = 0;
  double median = 0;
};

struct TokenMetrics {
  ConfidenceSpread sensitive;
  ConfidenceSpread neutral;
  base::SmirnovTest test;
  std::vector<KindConfidence> kinds;  // those that occur
};

// Throws Error where there is no sensitive token, or no neutral one: nothing can be compared.
TokenMetrics token_metrics(std::span<const AnalyzedSample> samples);

}  // namespace cuset::study
