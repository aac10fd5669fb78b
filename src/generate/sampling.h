// From the model's logits to the next token of every row.
//
// The filters are those of Hugging Face transformers, in its order, on the scores that the one before left:
//
//   repetition penalty   score / r, or score * r where it is negative, of every token seen in prompt or answer
//   temperature          score / t
//   top-k                keeps what scores at least as much as the k-th best; equal scores are all kept
//   top-p                keeps a token while those before it, in falling order, have less than p together
//   min-p                keeps what is at least m times as probable as the most probable token
//
// The token is then drawn from what is kept, with one number in [0, 1): the tokens in falling order of
// probability (equal ones by id) divide the interval, and the number falls on one of them. At temperature 0
// the best score wins, after the repetition penalty. What a row draws depends on its own logits, settings and
// number alone.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "generate/generation.h"
#include "generate/sampling_settings.h"

namespace cuset::generate {

struct SamplingRow {
  SamplingSettings settings;
  std::span<const int64_t> seen;       // for the repetition penalty: tokens of prompt and answer, each once
  double draw = 0;                     // in [0, 1)
  bool wants_log_probability = false;  // not together with a repetition penalty
  int64_t top_tokens = 0;              // that are wanted with it
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

// The distribution that sample_tokens draws from, [vocab] float64 that sums to 1, for one row of logits on
// the CPU.
std::vector<double> filtered_distribution(std::span<const float> logits, const SamplingRow& row);

}  // namespace cuset::generate
