// The gradient of one policy update: forward, policy loss over the fused head, backward, over packs of completions
// (objective/policy_loss.h). The same whatever the packs.
//
// Log-probabilities are those of the distribution that the sampler drew from before its filters: logits of the
// tokenizer's vocabulary, divided by the sampling temperature.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/json/json.h"
#include "data/example.h"
#include "model/decoder.h"
#include "objective/policy_loss.h"

namespace cuset::train {

// A completion as the policy learns from it.
struct PolicyExample {
  data::Example tokens;                        // prompt and completion; its labels are the completion
  std::vector<float> sampler_log_probability;  // of the completion's tokens
  double advantage = 0;
  bool is_masked = false;  // has no part in the loss

  // [completion] float32 in main memory, found by the first update.
  torch::Tensor old_log_probability = {};
  torch::Tensor reference_log_probability = {};
};

// What the sampler's own loops compute for the examples of a pack, one after another.
struct SamplerPass {
  model::LayerStates states;
  torch::Tensor log_probability;  // [rows] float32, of the completions' tokens
};

PolicyExample make_policy_example(std::span<const int64_t> prompt, std::span<const int64_t> completion);

struct PolicyUpdateSettings {
  objective::PolicySettings policy;
  double temperature = 1;
  int64_t vocabulary = 0;        // tokens of the tokenizer; the head may have more rows
  size_t pack_tokens = 4096;     // of a pack, unless one example has more
  size_t pack_examples = 0;      // most examples of a pack; 0: any number
  double max_gradient_norm = 1;  // 0: no clipping
  bool recompute = false;
  // Computes the forward pass with the present adapter in the sampler's place, so that both give a token the same
  // probability, to the bit; the backward is the decoder's. Empty: the decoder computes both.
  std::function<SamplerPass(std::span<const PolicyExample> pack)> sampler_pass = {};
};

struct PolicyMetrics {
  double loss = 0;
  double gradient_norm = 0;
  // Means over the active tokens.
  double divergence = 0;  // k3
  double entropy = 0;     // of the whole softmax at the sampling temperature
  double clipped_low = 0;
  double clipped_high = 0;
  double ratio = 0;
  double correction = 0;
  // |log p of the trainer - log p of the sampler|, before the first update.
  double mismatch_mean = 0;
  double mismatch_max = 0;
  int64_t active_tokens = 0;
  int64_t tokens = 0;  // that went through the model

  bool is_finite() const;
};

class PolicyUpdate {
 public:
  // Borrows the decoder.
  PolicyUpdate(model::Decoder& decoder, const PolicyUpdateSettings& settings);

  // Leaves the clipped gradient in decoder.trained(). The first call for examples finds their old and reference
  // log-probabilities.
  PolicyMetrics run(std::span<PolicyExample> examples);

 private:
  struct Sums;
  void add_pack(std::span<PolicyExample> pack, const objective::PolicyStepSize& step, Sums& sums);

  model::Decoder* decoder_;
  PolicyUpdateSettings settings_;
};

}  // namespace cuset::train
