// Attention of new tokens to the keys and values kept of their sequences (Pope et al., "Efficiently scaling
// transformer inference", 2022).
//
// A cache holds `slots` sequences of at most `positions` tokens: keys and values [slots, kv_heads, positions,
// dim], so that one head of one sequence is contiguous. A token says its slot and its position; it sees the
// positions up to its own. Position -1 marks padding: nothing is stored of it, and what it gives is 0.
//
//   q, k = rotate(norm(q)), rotate(norm(k))        norms where the model has them
//   cache[slot, :, position] = k, v
//   y[token] = softmax(q cache.keys[slot, :, 0 .. position]^T scale) cache.values[slot, :, 0 .. position]
// With a window of w tokens the range begins at position - w + 1 instead of 0; older keys and values stay where
// they are.
//
// A token's result depends on nothing but its own sequence, to the bit: how a sum is split depends on the
// position alone.
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "ops/attention.h"
#include "ops/rotary.h"

namespace cuset::ops {

struct KeyValueCache {
  torch::Tensor keys;    // [slots, kv_heads, positions, dim]
  torch::Tensor values;  // [slots, kv_heads, positions, dim]
};

// Where tokens lie in the cache; int64 on its device.
struct CachePlaces {
  torch::Tensor slots;      // [tokens]
  torch::Tensor positions;  // [tokens]; -1: padding
  int64_t longest = 0;      // one more than the last position, known without asking the device
};

struct HeadTransform {
  torch::Tensor q_norm = {};  // [dim], or undefined: heads are not normalized
  torch::Tensor k_norm = {};
  double epsilon = 0;
  RotaryAngles angles;  // of positions 0, 1, ...: [positions, dim / 2]
};

// Stores keys and values of new tokens and returns their queries, [tokens, heads, dim].
torch::Tensor store_keys_values(const torch::Tensor& qkv,  // [tokens, (heads + 2 kv_heads) * dim]
                                const HeadTransform& transform, const CachePlaces& places,
                                const KeyValueCache& cache);

// [tokens, heads, dim]. Not differentiable. On a GPU our own kernels, for single tokens of many sequences.
torch::Tensor cached_attention(const torch::Tensor& q,  // [tokens, heads, dim]
                               const CachePlaces& places, const KeyValueCache& cache,
                               const AttentionScores& scores);

// Neighboring tokens of one sequence, whose keys and values are in the cache already.
struct CacheRun {
  int64_t slot = 0;
  int64_t position = 0;  // of the first
  int64_t tokens = 0;
  torch::Tensor query_borders = {};  // {0, tokens}, int32 on the device
  torch::Tensor key_borders = {};    // {0, position + tokens}
};
CacheRun make_cache_run(int64_t slot, int64_t position, int64_t tokens, torch::Device device);

// The same for the first run.tokens rows of q, which are that run; what follows is padding. FlashAttention
// where it has the type and width.
torch::Tensor cached_run_attention(const torch::Tensor& q, const CachePlaces& places, const CacheRun& run,
                                   const KeyValueCache& cache, const AttentionScores& scores);

// Both by the formula, in plain ATen operations, token by token.
torch::Tensor store_keys_values_reference(const torch::Tensor& qkv, const HeadTransform& transform,
                                          const CachePlaces& places, const KeyValueCache& cache);
torch::Tensor cached_attention_reference(const torch::Tensor& q, const CachePlaces& places,
                                         const KeyValueCache& cache, const AttentionScores& scores);

}  // namespace cuset::ops
