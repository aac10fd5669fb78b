// How InferenceModel computes: with our own loops on the CPU, or with LibTorch and our kernels on a GPU.
// InferenceModel has checked what arrives here.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <span>

#include "model/files/config.h"
#include "model/inference/inference.h"
#include "model/inference/inference_weights.h"

namespace cuset::model {

// One row of a call.
struct SequenceStep {
  int64_t slot = 0;
  int64_t start = 0;     // tokens that the slot holds already
  int64_t adapter = -1;  // -1: none
  std::span<const int64_t> tokens;
  const LogitsReceiver* on_logits = nullptr;  // of more than one token, where somebody wants them
  const StateReceiver* on_states = nullptr;   // on the CPU, where somebody wants them
};

class InferenceBackend {
 public:
  virtual ~InferenceBackend() = default;

  // `number` is that of an adapter that is there, which is replaced, or the next one, from 0.
  virtual void set_adapter(size_t number, const Adapter& adapter) = 0;

  // Logits behind the last token of each row, [rows, vocab] float32.
  virtual torch::Tensor extend(std::span<const SequenceStep> rows) = 0;
};

// Our own loops on the CPU, in float32.
std::unique_ptr<InferenceBackend> make_loop_inference(const ModelConfig& config, InferenceWeights weights,
                                                      const InferenceLimits& limits);

// LibTorch's operations and our kernels, on the weights' device and in their type.
std::unique_ptr<InferenceBackend> make_tensor_inference(const ModelConfig& config, InferenceWeights weights,
                                                        const InferenceLimits& limits);

}  // namespace cuset::model
