// The dropout mask inside kernels: one Philox block gives the 16 bits of eight neighboring columns, so
// threads work on eight columns of a row at a time.
#pragma once

#include <cmath>
#include <cstdint>

#include "ops/gpu/dropout_gpu.h"

namespace cuset::ops {

struct DropoutMask {
  bool drops;          // false: every column is kept, though it may still be scaled
  uint32_t threshold;  // columns are kept whose 16 bits reach it; in the upper half
  float factor;        // of what is kept
  uint32_t seed[2];
  uint32_t module;
  const int64_t* row_keys;
};

inline DropoutMask dropout_mask(const DropoutRows& rows) {
  const auto threshold = static_cast<uint32_t>(std::llround(rows.probability * 65536));
  return {.drops = threshold > 0,
          // 65536 does not fit: all but the largest 16 bits drop, which the factor below finishes.
          .threshold = (threshold < 65536 ? threshold : 65535) << 16,
          .factor = threshold < 65536 ? static_cast<float>(1.0 / (1.0 - rows.probability)) : 0.0f,
          .seed = {static_cast<uint32_t>(rows.seed), static_cast<uint32_t>(rows.seed >> 32)},
          .module = rows.module,
          .row_keys = rows.row_keys};
}

// philox4x32 of base/stats/random.h, whose std::array device code cannot use.
inline __device__ uint4 philox(uint4 counter, uint32_t key0, uint32_t key1) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{0xD2511F53} * counter.x;
    const uint64_t odd = uint64_t{0xCD9E8D57} * counter.z;
    counter = {static_cast<uint32_t>(odd >> 32) ^ counter.y ^ key0, static_cast<uint32_t>(odd),
               static_cast<uint32_t>(even >> 32) ^ counter.w ^ key1, static_cast<uint32_t>(even)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

template <bool kDrops>
__device__ int64_t dropout_key_of(const DropoutMask& mask, int64_t row) {
  return kDrops ? __ldg(reinterpret_cast<const long long*>(mask.row_keys) + row) : 0;
}

// The bits of columns 8 * eighth .. 8 * eighth + 7 of the row with this key: two columns a word, the lower
// half first.
inline __device__ uint4 dropout_bits(const DropoutMask& mask, int64_t key, int64_t eighth) {
  const auto wide_key = static_cast<uint64_t>(key);
  return philox({static_cast<uint32_t>(eighth), mask.module, static_cast<uint32_t>(wide_key),
                 static_cast<uint32_t>(wide_key >> 32)},
                mask.seed[0], mask.seed[1]);
}

// Two bfloat16 columns, packed, with the dropped ones 0.
inline __device__ uint32_t drop_pair(uint32_t pair, uint32_t bits, uint32_t threshold) {
  if ((bits << 16) < threshold) pair &= 0xffff0000u;
  if (bits < threshold) pair &= 0x0000ffffu;
  return pair;
}

// Eight bfloat16 columns, packed, with the dropped ones 0; what is kept is not scaled.
inline __device__ uint4 drop_eight(uint4 columns, const DropoutMask& mask, int64_t key, int64_t eighth) {
  const uint4 bits = dropout_bits(mask, key, eighth);
  return {drop_pair(columns.x, bits.x, mask.threshold), drop_pair(columns.y, bits.y, mask.threshold),
          drop_pair(columns.z, bits.z, mask.threshold), drop_pair(columns.w, bits.w, mask.threshold)};
}

// The same for eight widened columns.
inline __device__ void drop_eight(float (&columns)[8], const DropoutMask& mask, int64_t key, int64_t eighth) {
  const uint4 bits = dropout_bits(mask, key, eighth);
  const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if ((words[i] << 16) < mask.threshold) columns[2 * i] = 0.0f;
    if (words[i] < mask.threshold) columns[2 * i + 1] = 0.0f;
  }
}

}  // namespace cuset::ops
