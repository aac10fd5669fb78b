// Causal attention for training on the CPU, float32 (ops/attention.h has the contract), in tiles that stay in
// the cache, as FlashAttention does on a GPU (Dao, "FlashAttention-2", 2023):
//
//   forward:   for 48 queries, over tiles of the keys that they see: S = K Q^T, P = 2^(S - largest), y = sum P V
//   backward:  P again from S and the logarithm of its sum; dP = V dy^T, dS = P (dP - mean dP);
//              dq += dS K, dk += dS^T q, dv += P^T dy
//
// Tiles that are hidden as a whole are not computed. Keys and values are copied once, head by head, and not
// for every query head of a group. A tile's products are those of tile_loops.h.
//
// Threads take (sample, head, queries) in the forward pass and (sample, head) in the backward pass, each of
// which has one order of its sums: the bits do not depend on the number of threads.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace cuset::ops {

struct TiledAttention {
  torch::Tensor q;               // [tokens, heads, dim]; float32 on the CPU, contiguous, as the others
  torch::Tensor k;               // [tokens, kv_heads, dim]
  torch::Tensor v;               // [tokens, kv_heads, dim]
  std::vector<int64_t> borders;  // of the samples, as in Segments
  float scale;
  int64_t window;  // tokens that a token sees, itself included; 0: all before it
};

struct TiledAttentionOutput {
  torch::Tensor y;         // [tokens, heads, dim]
  torch::Tensor log_sums;  // [heads, tokens]: logarithm to base 2 of the sum of a query's 2^score
};

struct TiledAttentionGradients {
  torch::Tensor dq, dk, dv;  // like q, k, v
};

TiledAttentionOutput tiled_attention(const TiledAttention& attention);

TiledAttentionGradients tiled_attention_backward(const TiledAttention& attention,
                                                 const TiledAttentionOutput& output,
                                                 const torch::Tensor& dy);  // like y, contiguous

}  // namespace cuset::ops
