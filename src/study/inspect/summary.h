// Statistics of a data set: sizes, shares, lengths, and what was left out and why.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "data/dataset.h"

namespace cuset::study {

// Samples of [begin, end) tokens.
struct LengthBin {
  size_t begin = 0;
  size_t end = 0;
  size_t samples = 0;

  friend bool operator==(const LengthBin&, const LengthBin&) = default;
};

// At most 16 bins of equal width (1, 2 or 5 times a power of ten) that cover all lengths from 0; empty ones
// between them are listed too. None for no lengths.
std::vector<LengthBin> length_histogram(const std::vector<size_t>& lengths);

struct LengthQuantiles {
  size_t min = 0;
  double median = 0;
  double p95 = 0;
  size_t max = 0;
};

struct DatasetSummary {
  size_t rows = 0;
  size_t samples = 0;
  size_t tokens = 0;
  size_t labels = 0;
  size_t cuda_labels = 0;
  size_t truncated = 0;
  size_t without_cuda = 0;  // samples none of whose tokens is CUDA
  LengthQuantiles lengths;  // zeros where there is no sample
  std::vector<LengthBin> histogram;

  // CUDA among learned tokens, 0 to 1; 0 where nothing is learned.
  double cuda_share() const;
};

DatasetSummary summarize(const data::Dataset& dataset);

// Human-readable: totals, a histogram in text, the first `most_places` rows left out, with their reasons.
std::string render_summary(const DatasetSummary& summary, const data::Dataset& dataset,
                           size_t most_places = 10);

// {"totals", "lengths", "histogram", "dropped", "duplicates", "samples"}: the last three are whole lists.
base::Json summary_to_json(const DatasetSummary& summary, const data::Dataset& dataset);

// {"place", "tokens", "labels", "cuda_labels", "weight", "truncated"}.
base::Json counts_to_json(const data::Example& example);

// counts_to_json and everything else: {"text", "response", "ids", "spans", "is_label", "is_cuda", "regions"}.
base::Json example_to_json(const data::Example& example);

}  // namespace cuset::study
