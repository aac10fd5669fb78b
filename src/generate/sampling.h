// From the model's logits to the next token of every row.
//
// Biases and penalties change the logits first (score_changes.h). The filters are those of Hugging Face
// transformers, in its order, on the scores that the one before left:
//
//   temperature          score / t
//   top-k                keeps what scores at least as much as the k-th best; equal scores are all kept
//   top-p                keeps a token while those before it, in falling order, have less than p together
//   min-p                keeps what is at least m times as probable as the most probable token
//
// The token is then drawn from what is kept, with one number in [0, 1): the tokens in falling order of
// probability (equal ones by id) divide the interval, and the number falls on one of them. At temperature 0
// the best score wins, after biases and penalties. What a row draws depends on its own logits, settings and
// number alone.
//
// Log-probabilities are those of the logits at the row's temperature (at 0: at 1), before bias, penalty or filter.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "generate/generation.h"
#include "generate/sampling_settings.h"
#include "generate/score_changes.h"

namespace cuset::generate {

struct SamplingRow {
  SamplingSettings settings;
  std::span<const UsedToken> used;  // for the penalties: tokens of prompt and answer, each once
  double draw = 0;                  // in [0, 1)
  bool wants_log_probability = false;
  int64_t top_tokens = 0;                // that are wanted with it
  std::span<const TokenBias> bias = {};  // each token once
};

struct SamplingOptions {
  // Best tokens of a row that are brought from a GPU; where they do not decide, the whole row follows.
  int64_t candidates = 256;
  // Takes the way through candidates on the CPU too: for tests.
  bool always_by_candidates = false;
};

// One token for each row of `logits`, [rows, vocab] float32 with neighboring columns in memory. Throws Error
// where logits are not numbers.
std::vector<SampledToken> sample_tokens(const torch::Tensor& logits, std::span<const SamplingRow> rows,
                                        const SamplingOptions& options = {});

// Tokens that are there already, targets[i] behind row i of logits.
struct GivenTokens {
  std::span<const int64_t> targets;
  double temperature = 0;
  int64_t top_tokens = 0;
};

// Their log-probabilities, and the most probable tokens in their place; their confidence is not computed. Throws as
// sample_tokens does.
std::vector<SampledToken> score_tokens(const torch::Tensor& logits, const GivenTokens& given,
                                       const SamplingOptions& options = {});

// The distribution that sample_tokens draws from, [vocab] float64 that sums to 1, for one row of logits on
// the CPU.
std::vector<double> filtered_distribution(std::span<const float> logits, const SamplingRow& row);

}  // namespace cuset::generate
