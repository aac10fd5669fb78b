// The most probable tokens of a row, and what can be decided from them alone.
//
// A GPU's row of 152,064 logits stays there: its best tokens come to main memory, with the sum of all weights
// exp((score - best) / temperature). Since every filter keeps a beginning of the falling order, a few hundred
// candidates decide nearly always; where they do not (a flat distribution, a tie across the border), the
// functions say so and the caller looks at the whole row.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "generate/ranked_weights.h"
#include "generate/sampling.h"

namespace cuset::generate {

struct Candidates {
  RankedWeights& ranked;  // relative to the largest, which is 1
  double rest = 0;        // weight of all other tokens, none of which is heavier than the lightest here
};

struct Kept {
  size_t count = 0;  // of the candidates, in falling order; one more than all where others are kept too
  double mass = 0;   // of all that is kept
};

// What top-k, top-p and min-p leave; nothing where the candidates do not tell.
std::optional<Kept> kept_by_filters(const Candidates& candidates, const SamplingSettings& settings);

// The rank on which `draw` falls; nothing where the candidates do not tell.
std::optional<size_t> draw_rank(const Candidates& candidates, const SamplingSettings& settings, double draw);

// The candidates of all rows, found by the device that holds the logits and brought over in a few copies.
class DeviceCandidates {
 public:
  DeviceCandidates(const torch::Tensor& logits, std::span<const SamplingRow> rows, int64_t count);

  // Of all tokens at the row's temperature; not finite where the logits are not.
  double mass(size_t row) const { return masses_[row]; }
  // Nothing where the candidates do not tell, as log-probabilities beside biases and penalties.
  std::optional<SampledToken> sample(size_t row, const SamplingRow& settings) const;

 private:
  struct Candidate {
    float score;
    float logit;
    int64_t id;
  };
  // In falling order of the scores, equal ones by id.
  std::vector<Candidate> candidates_of(size_t row) const;
  std::optional<SampledToken> choose(size_t row, const SamplingRow& wanted,
                                     std::vector<Candidate> candidates) const;
  SampledToken token_of(size_t row, const Candidate& candidate, double temperature) const;

  int64_t count_ = 0;
  bool is_partial_ = true;      // there are other tokens
  torch::Tensor found_;         // [rows, 3 count + 1] float32: scores, logits, ids, the best logit
  std::vector<double> masses_;  // of exp((score - best score) / temperature)
  std::vector<double> sums_;    // of exp(logit - best logit)
};

}  // namespace cuset::generate
