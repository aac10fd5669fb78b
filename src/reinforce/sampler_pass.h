// The forward pass of a policy update, computed by the loops that sampled: every sequence whole instead of token by token,
// which gives the same bits (ops/cpu/panel_loops.h). So the policy's log-probabilities are those that the sampler kept, as
// long as the adapter is the same one.
#pragma once

#include <cstdint>
#include <span>

#include "model/inference/inference.h"
#include "train/policy_update.h"

namespace cuset::reinforce {

struct SamplerPassOptions {
  int64_t adapter = -1;    // its number in the model; holds the policy's present values
  int64_t vocabulary = 0;  // tokens of the tokenizer; the head may have more rows
  double temperature = 1;
};

// On the CPU. No answer may be in the making; the model's slots are used.
train::SamplerPass run_sampler_pass(model::InferenceModel& model, const SamplerPassOptions& options,
                                    std::span<const train::PolicyExample> pack);

}  // namespace cuset::reinforce
