// LoRA adapters (Hu et al., 2021; rsLoRA: Kalajdzievski, 2023): which layers get one, how large it is, how it
// begins.
//
// Names follow PEFT: "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight" [rank, in] and
// "...lora_B.weight" [out, rank]. A begins uniform in +-1/sqrt(in) (Kaiming with a = sqrt 5, as PEFT), B at
// zero.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "model/files/config.h"
#include "model/lora_settings.h"
#include "model/parameters.h"

namespace cuset::model {

// A linear layer that can carry an adapter.
struct LoraTarget {
  std::string module;  // "model.layers.0.self_attn.q_proj"
  int64_t in = 0;
  int64_t out = 0;
};

// The layers that `settings` chooses, in the order of the computation; in a model with experts only attention layers
// can be chosen. Throws UsageError for an unknown target, naming the nearest known one, and for a rank below 1.
std::vector<LoraTarget> lora_targets(const ModelConfig& config, const LoraSettings& settings);

// PEFT's names of a module's two matrices.
std::string lora_a_name(const std::string& module);
std::string lora_b_name(const std::string& module);

// Adapter weights of all targets: A, B, A, B, ...
std::vector<TrainedWeight> lora_weights(const std::vector<LoraTarget>& targets, int64_t rank);

// Draws every A from its own child of `stream` (named after the module), so that a layer begins alike
// whichever other layers have adapters; sets every B to zero.
void initialize_lora(TrainedParameters& parameters, const std::vector<LoraTarget>& targets,
                     const base::RandomStream& stream);

}  // namespace cuset::model
