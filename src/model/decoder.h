// The decoder of Qwen2, Qwen3, Llama, Mistral and Qwen3-MoE over packs of samples, with frozen weights and an
// adapter, or all weights trained.
//
//   h = embed(ids)
//   per layer: h += o(attention(rotate(q(n)), rotate(k(n)), v(n))),  n = norm(h)
//              h += down(silu(gate(m)) * up(m)),                     m = norm(h); or experts (model/experts.h)
//   hidden = norm(h)
//
// Samples of a pack never see each other and positions restart (ops/attention.h). The head is not applied
// here: ops/linear_cross_entropy.h does that in chunks.
#pragma once

#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/stats/random.h"
#include "model/adapter.h"
#include "model/files/config.h"
#include "model/files/safetensors.h"
#include "model/lora.h"
#include "model/parameters.h"
#include "ops/attention.h"
#include "ops/dropout.h"

namespace cuset::model {

// A pack of samples as the decoder takes it.
struct TokenBatch {
  torch::Tensor ids;        // [tokens] int64
  torch::Tensor positions;  // [tokens] int64, from 0 in every sample
  ops::Segments segments;
  torch::Tensor dropout_keys;  // [tokens] int64 (ops/dropout.h); may be undefined where nothing is dropped
};

// Puts samples one after another: ids, positions and segments on `device`.
TokenBatch make_token_batch(const std::vector<std::vector<int64_t>>& samples, torch::Device device);

// What enters each layer, then the last norm, of a batch: [tokens, hidden] each, of the decoder's type and device.
using LayerStates = std::vector<torch::Tensor>;

struct ForwardOptions {
  bool adapter = true;     // false: the base weights alone (the reference of ASFT)
  bool recompute = false;  // keep only the input of every layer and run it again in the backward
  // Computed elsewhere with the same weights: taken for the values of the layers, which run in the backward alone. Needs
  // an adapter that is trained.
  const LayerStates* states = nullptr;
  uint64_t dropout_seed = 0;
  double dropout = 0;  // of the adapters' inputs; 0 in evaluation
};

class Decoder {
 public:
  // Frozen weights, as load_model_weights gives them; all of one type and on one device.
  Decoder(const ModelConfig& config, std::vector<NamedTensor> weights);
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;
  ~Decoder();

  const ModelConfig& config() const;
  torch::ScalarType type() const;
  torch::Device device() const;

  // Chooses what is trained; once, before the first forward. Weights of the adapter begin as initialize_lora
  // says.
  void add_adapter(const LoraSettings& settings, const base::RandomStream& stream);
  // Takes an adapter's values; its settings must fit add_adapter's.
  void load_adapter(const Adapter& adapter);
  // Trains every weight. The values move into trained().master().
  void train_all();

  // Empty where nothing is trained.
  TrainedParameters& trained();
  const LoraSettings* lora() const;  // null without an adapter

  // [tokens, hidden] after the last norm. With gradients enabled (and something trained), backward() on it
  // fills the gradients of trained().
  torch::Tensor hidden(const TokenBatch& batch, const ForwardOptions& options);

  // [vocab, hidden]: lm_head, or the embeddings where they are tied.
  const ops::Parameter& head() const;

  // The adapter's values in float32 on the CPU, ready to be written. Needs an adapter.
  Adapter adapter(const std::string& base_model) const;
  // All weights with the adapter added in: W + scale B A, computed in float32 and rounded once to the model's
  // type. Weights that need no change may share the model's memory.
  std::vector<NamedTensor> merged_weights() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cuset::model
