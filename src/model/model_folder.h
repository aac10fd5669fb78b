// The weights of a Hugging Face model folder: model.safetensors, or model.safetensors.index.json and its
// shards. docs/model-folders.md has the rules.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/stats/random.h"
#include "model/files/config.h"
#include "model/files/safetensors.h"
#include "model/placement.h"

namespace cuset::model {

struct WeightOptions {
  torch::ScalarType type = torch::kBFloat16;  // that the weights are converted to
  torch::Device device = torch::kCPU;
};

// Of a resolved placement; `gpu` numbers the GPU of a placement on one.
WeightOptions weight_options(const Placement& placement, int gpu = 0);

// "float32", "float16" or "bfloat16": the types that models are stored in.
std::string_view name_of_type(torch::ScalarType type);

// Every weight of weight_shapes(config), in that order. Files are mapped; a tensor goes straight from the
// mapping to the device, so that memory never holds a second copy of the model. Throws Error, before anything
// is loaded, naming file and tensor for what is missing, left over, mis-shaped or of a type that is no
// floating-point number; `rotary_emb.inv_freq` and, with tied embeddings, an lm_head.weight are passed over.
std::vector<NamedTensor> load_model_weights(const std::filesystem::path& folder, const ModelConfig& config,
                                            const WeightOptions& options);

// Random weights as transformers initializes them: normal with initializer_range for matrices and embeddings,
// 1 for norms, 0 for biases. Each weight draws from its own child of `stream`, so a weight does not depend on
// the others. On the CPU the values are the same on every machine; matrices of a million elements and more on
// a GPU come from the GPU's generator, seeded from the child, and differ from the CPU's.
std::vector<NamedTensor> random_model_weights(const ModelConfig& config, const WeightOptions& options,
                                              const base::RandomStream& stream);

// Writes a model folder: the weights, in shards of at most `shard_bytes` with an index where there are
// several, and a copy of the other files (config.json, tokenizer, templates, generation_config.json, license)
// of `source`. config.json's dtype follows the weights. Refuses a folder that has files already. Every file
// is replaced in one step and the index comes last, so that a folder cut short never loads as a whole one.
struct SaveOptions {
  std::filesystem::path source;
  uint64_t shard_bytes = uint64_t{5} << 30;
};
void save_model_folder(const std::filesystem::path& folder, const std::vector<NamedTensor>& weights,
                       const SaveOptions& options);

}  // namespace cuset::model
