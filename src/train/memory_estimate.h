// How much memory a run will need, before it needs it.
//
//   weights      all parameters in the type they are computed in
//   trained      for each trained parameter: master, gradient, two averages (float32), and a rounded copy
//   activations  what a layer keeps for the backward, per token (docs/train.md has the formula), times layers;
//                with recomputation its input alone, and one whole layer
//   head         supervised hidden states, their gradient, chunks of logits
// The GPU's libraries and the allocator's gaps come on top: about a GiB and a few percent.
#pragma once

#include <cstdint>
#include <string>

#include "model/files/config.h"

namespace cuset::train {

struct MemoryNeed {
  const model::ModelConfig& config;
  uint64_t type_bytes = 2;  // of one value of the model's type
  uint64_t trained = 0;     // parameters
  bool full = false;        // all are trained: there are no frozen ones beside them
  bool recompute = false;
  bool gpu = false;
  uint64_t tokens = 0;  // of the largest micro-batch
};

struct MemoryEstimate {
  uint64_t weights = 0;
  uint64_t trained = 0;
  uint64_t activations = 0;
  uint64_t head = 0;

  uint64_t total() const { return weights + trained + activations + head; }
  // "31.2 GiB: weights 14.2 GiB, trained 308 MiB, activations of 4096 tokens 12.9 GiB, head 1.2 GiB".
  std::string text(uint64_t tokens) const;
};

MemoryEstimate estimate_memory(const MemoryNeed& need);

}  // namespace cuset::train
