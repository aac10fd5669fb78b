// The CUDA side of cached attention (ops/cached_attention.h): raw device pointers, everything contiguous.
#pragma once

#include <cstdint>

#include "ops/gpu/gpu_launch.h"

namespace cuset::ops {

struct CachedTokensGpu {
  GpuType type;  // of activations, cache and norms
  int64_t tokens;
  int64_t heads;
  int64_t kv_heads;
  int64_t dim;
  int64_t capacity;          // positions of a slot
  int64_t window;            // tokens that a token sees, itself included; 0: all before it
  const int64_t* slots;      // [tokens]
  const int64_t* positions;  // [tokens]; -1: padding
  void* keys;                // [slots, kv_heads, capacity, dim]
  void* values;              // [slots, kv_heads, capacity, dim]
};

struct HeadTransformGpu {
  const void* q_norm;  // [dim], or null
  const void* k_norm;
  float epsilon;
  const float* cosine;  // [capacity, dim / 2]
  const float* sine;
};

// Fills the cache's places of the tokens and q. Padding gives 0 in q.
void store_keys_values_gpu(const CachedTokensGpu& tokens, const HeadTransformGpu& transform,
                           const void* qkv,  // [tokens, heads + 2 kv_heads, dim]
                           void* q,          // [tokens, heads, dim]
                           GpuStream stream);

// Ranges of positions that are summed up apart, for sequences of at most `longest` tokens.
int64_t cached_attention_parts(int64_t longest);

inline constexpr int64_t kCachedAttentionGpuDim = 256;  // the widest heads it takes

// `parts` [tokens, heads, cached_attention_parts, dim + 2] float32 is scratch.
void cached_attention_gpu(const CachedTokensGpu& tokens, int64_t longest, float scale,
                          const void* q,  // [tokens, heads, dim]
                          void* y,        // [tokens, heads, dim]
                          float* parts, GpuStream stream);

}  // namespace cuset::ops
