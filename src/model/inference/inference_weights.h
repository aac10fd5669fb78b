// The weights of a decoder as inference wants them: layers that read the same input are one matrix (q, k and
// v; gate and up), joined while the model is taken over, so that memory never holds a second copy of it.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "model/adapter.h"
#include "model/files/config.h"
#include "model/files/safetensors.h"

namespace cuset::model {

struct InferenceLinear {
  torch::Tensor weight;  // [out, in]
  torch::Tensor bias;    // [out], or undefined
};

struct InferenceExpert {
  torch::Tensor gate_up;  // [2 width, hidden]
  torch::Tensor down;     // [hidden, width]
};

struct InferenceLayer {
  torch::Tensor input_norm;
  InferenceLinear qkv;
  torch::Tensor q_norm;  // Qwen3 and Qwen3-MoE; else undefined
  torch::Tensor k_norm;
  InferenceLinear output;
  torch::Tensor post_attention_norm;
  InferenceLinear gate_up;  // of a dense layer
  InferenceLinear down;
  torch::Tensor router;                  // [experts, hidden], of a sparse layer
  std::vector<InferenceExpert> experts;  // empty: the layer is dense
};

struct InferenceWeights {
  torch::Tensor embedding;  // [vocab, hidden]
  std::vector<InferenceLayer> layers;
  torch::Tensor final_norm;
  torch::Tensor head;  // [vocab, hidden]; the embedding itself where they are tied
};

// Takes the tensors over; each must be there once, with the shape that weight_shapes says, all of one type
// and on one device.
InferenceWeights join_weights(const ModelConfig& config, std::vector<NamedTensor> weights);

// What an adapter adds to some columns of a joined layer: y[:, first ..] += scale * x a^T b^T.
struct LowRankPart {
  int64_t first = 0;
  torch::Tensor a;  // [rank, in]
  torch::Tensor b;  // [out, rank]
};

struct InferenceAdapterLayer {
  std::vector<LowRankPart> qkv, output, gate_up, down;
};

struct InferenceAdapter {
  double scale = 0;
  std::vector<InferenceAdapterLayer> layers;
};

// The adapter's matrices, converted to `options`' type and device. Throws Error where it does not fit the
// model.
InferenceAdapter join_adapter(const ModelConfig& config, const Adapter& adapter,
                              const torch::TensorOptions& options);

}  // namespace cuset::model
