// Causal attention over a pack of samples that do not see each other, with grouped key and value heads, to all
// tokens before or to a window of the last ones (Beltagy et al., "Longformer", 2020).
//
// On a GPU: cuDNN for one sample, variable-length FlashAttention for several, for windows, or where the same bits
// are wanted in every run (ops/device/determinism.h), both without padding. On the CPU: tiles of our own in float32
// (cpu/tiled_attention.h); for other types ATen's fused attention, sample by sample, windows with a mask, in blocks
// of queries.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>
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

// How a query meets keys.
struct AttentionScores {
  AttentionScores(double its_scale, int64_t its_window = 0)  // NOLINT(google-explicit-constructor)
      : scale(its_scale), window(its_window) {}

  double scale;
  int64_t window;  // tokens that a token sees, itself included; 0: all before it
};

// What FlashAttention is told of a causal mask over sequences of at most `longest` tokens: `left` counts the
// tokens before a token's own.
struct FlashWindow {
  bool is_causal = true;
  std::optional<int64_t> left = {};
  std::optional<int64_t> right = {};
};
FlashWindow flash_window(const AttentionScores& scores, int64_t longest);

// Differentiable in q, k and v. Returns [tokens, heads, dim].
torch::Tensor attention(const torch::Tensor& q,  // [tokens, heads, dim]
                        const torch::Tensor& k,  // [tokens, kv_heads, dim]; kv_heads divides heads
                        const torch::Tensor& v,  // [tokens, kv_heads, dim]
                        const Segments& segments, const AttentionScores& scores);

// By the formula, in plain ATen operations: softmax(q k^T scale + mask) v for every sample.
torch::Tensor attention_reference(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                  const Segments& segments, const AttentionScores& scores);

}  // namespace cuset::ops
