// What a request changes in the model's logits before the filters of sampling, token by token and in this order (vLLM's):
//
//   bias                 score + b                   b of OpenAI's logit_bias; of a forbidden token below any logit
//   repetition penalty   score / r, or score * r     of every token in prompt or answer; the latter where it is negative
//   frequency penalty    score - f * n               of a token that the answer has n times
//   presence penalty     score - p                   where n > 0
//
// Penalties by count look at the answer alone, the repetition penalty at the prompt too, as transformers and vLLM have it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "generate/sampling_settings.h"

namespace cuset::generate {

// A token of prompt or answer.
struct UsedToken {
  int64_t id = 0;
  int64_t times = 0;  // in the answer; 0: in the prompt alone
};

// Added to the logits of tokens that must not be drawn. Finite, so that a row of nothing else still has a best token.
inline constexpr float kForbidden = -1e30F;

// The change of one token's logit.
struct ScoreChange {
  int64_t id = 0;
  float bias = 0;
  float penalty = 1;
  float deduction = 0;

  float applied_to(float logit) const {
    const float score = logit + bias;
    return (score < 0 ? score * penalty : score / penalty) - deduction;
  }
};

// Whether these settings ever look at the tokens that were used.
bool counts_tokens(const SamplingSettings& settings);

// Every token that changes, once. `used` and `bias` each name a token at most once.
std::vector<ScoreChange> score_changes(const SamplingSettings& settings, std::span<const UsedToken> used,
                                       std::span<const TokenBias> bias);

// The tokens of one sequence as it grows.
class TokenHistory {
 public:
  void add_prompt(int64_t id) { entry(id); }
  void add_answer(int64_t id) { ++entry(id).times; }
  std::span<const UsedToken> tokens() const { return tokens_; }

 private:
  UsedToken& entry(int64_t id);

  std::vector<UsedToken> tokens_;
  std::unordered_map<int64_t, size_t> places_;
};

}  // namespace cuset::generate
