// The policy losses of reinforcement learning, over the log-probabilities of completions' tokens. With A the
// advantage of a completion, T its tokens, B completions and N unmasked tokens in the whole step:
//
//   rho_t  = exp(logp_t - old_t)              token level
//   s      = exp(mean over t of (logp_t - old_t))   sequence level (GSPO); RLOO: of the sum instead of the mean
//   policy = -min(rho A, clip(rho, 1 - epsilon, 1 + epsilon_high) A)
//   CISPO  = -sg(min(rho, epsilon_high)) A logp_t
//   k3     = exp(ref_t - logp_t) - (ref_t - logp_t) - 1
//   loss   = sum over unmasked completions and tokens of c_t (w_t policy_t + beta k3_t)
//
//   c_t    grpo, gspo, rloo   1 / (B T)
//          dr_grpo            1 / (B max_completion_length)
//          dapo, bnpo, cispo  1 / N
//   w_t    correction for a sampler that gave a token the probability exp(sampler_t): with u the ratio
//          exp(old_t - sampler_t) of the token, or of the sequence (their product), or its geometric mean,
//          truncate: u clamped to [min, cap]; mask: u, or 0 outside of [min, cap]
//
// No gradient flows through old, ref, A, c and w. The gradient is written out: d loss / d logp_t = -weight_t, and the
// head's gradient of -logp_t, scaled by weight_t, is that of the loss (ops/linear_cross_entropy.h).
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "objective/policy_settings.h"

namespace cuset::objective {

// What is known of the completions of a pack. All [rows] tensors have a row for each token of a completion.
struct PolicyRows {
  std::vector<int64_t> borders = {0};       // completion i has rows borders[i] .. borders[i + 1]
  torch::Tensor old_log_probability;        // [rows] before the first update; undefined: the present ones
  torch::Tensor sampler_log_probability;    // [rows]; undefined: no correction
  torch::Tensor reference_log_probability;  // [rows]; needed where beta is not 0
  torch::Tensor advantages;                 // [completions] float64
  torch::Tensor is_masked;                  // [completions] bool: has no part in the loss, as if truncated

  int64_t completions() const { return static_cast<int64_t>(borders.size()) - 1; }
};

// B and N, of all packs of the step.
struct PolicyStepSize {
  int64_t completions = 0;
  int64_t active_tokens = 0;
};

// Sums over the unmasked tokens of the pack: float64 scalars on its device.
struct PolicyLoss {
  torch::Tensor row_weight;        // [rows] float64: -d loss / d logp
  torch::Tensor loss;              // this pack's part
  torch::Tensor divergence_sum;    // of k3; 0 without a reference
  torch::Tensor clipped_low_sum;   // tokens with ratio < 1 - epsilon and A < 0
  torch::Tensor clipped_high_sum;  // tokens with ratio > 1 + epsilon_high (CISPO: epsilon_high) and A > 0
  torch::Tensor ratio_sum;
  torch::Tensor correction_sum;  // of w
  torch::Tensor active_tokens;
};

// The settings must have passed PolicySettings::check.
PolicyLoss policy_loss(const PolicySettings& settings, const torch::Tensor& log_probability,  // [rows]
                       const PolicyRows& rows, const PolicyStepSize& step);

}  // namespace cuset::objective
