// Keys and values of growing sequences on the CPU, and attention to them (ops/cached_attention.h has the
// formula), in the layout of panel_loops.h: keys as a matrix [positions, dim], values as a matrix
// [dim, positions], both in panels of 16 rows, for every sequence and head. Scores are then a product with
// few rows, and so is their use.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace cuset::ops {

struct PanelCacheShape {
  int64_t slots;
  int64_t kv_heads;
  int64_t positions;
  int64_t dim;
};

// Neighboring tokens of one sequence.
struct PanelQueries {
  int64_t slot;
  int64_t position;  // of the first
  int64_t tokens;
  int64_t group;       // query heads of one key head
  int64_t window = 0;  // tokens that a token sees, itself included; 0: all before it
  const float* q;      // [tokens, kv_heads * group * dim]
  int64_t q_row;
  float* y;  // like q
  int64_t y_row;
};

class PanelCache {
 public:
  // `type` is float32 or bfloat16; computation is in float32.
  PanelCache(const PanelCacheShape& shape, torch::ScalarType type);

  const PanelCacheShape& shape() const { return shape_; }

  // Sets one token's keys and values, each [kv_heads, dim].
  void store(int64_t slot, int64_t position, const float* keys, const float* values);

  // Attention of one key head's queries: the tokens themselves must have been stored. A token's bits depend
  // on its own sequence up to itself alone.
  void attend(const PanelQueries& queries, int64_t kv_head, float scale) const;

 private:
  void attend_block(const PanelQueries& queries, int64_t kv_head, float scale) const;
  char* keys_of(int64_t slot, int64_t kv_head) const;
  char* values_of(int64_t slot, int64_t kv_head) const;

  PanelCacheShape shape_;
  int64_t capacity_;      // positions of whole panels
  torch::Tensor keys_;    // [slots, kv_heads, capacity / 16, dim, 16]
  torch::Tensor values_;  // [slots, kv_heads, padded dim / 16, capacity, 16]
};

}  // namespace cuset::ops
