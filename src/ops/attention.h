// Causal attention over a pack of samples that do not see each other, with grouped key and value heads.
//
// On a GPU: cuDNN for one sample, variable-length FlashAttention for several, or where the same bits are
// wanted in every run (ops/device/determinism.h), both without padding. On the CPU: ATen's fused attention, sample
// by sample.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace cuset::ops {

// Where the samples of a pack lie: sample i is tokens borders[i] .. borders[i + 1].
struct Segments {
  std::vector<int64_t> borders = {0};
  torch::Tensor device_borders;  // the same, int32, on the pack's device
  int64_t longest = 0;

  int64_t samples() const { return static_cast<int64_t>(borders.size()) - 1; }
  int64_t tokens() const { return borders.back(); }
};

// `lengths` of the samples, all positive.
Segments make_segments(const std::vector<int64_t>& lengths, torch::Device device);

// Differentiable in q, k and v. Returns [tokens, heads, dim].
torch::Tensor attention(const torch::Tensor& q,  // [tokens, heads, dim]
                        const torch::Tensor& k,  // [tokens, kv_heads, dim]; kv_heads divides heads
                        const torch::Tensor& v,  // [tokens, kv_heads, dim]
                        const Segments& segments, double scale);

// By the formula, in plain ATen operations: softmax(q k^T scale + causal mask) v for every sample.
torch::Tensor attention_reference(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                  const Segments& segments, double scale);

}  // namespace cuset::ops
