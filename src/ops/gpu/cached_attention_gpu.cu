// Attention of single tokens to long sequences reads every key and value once and computes little, so it is
// split over ranges of kRange positions: a block takes one range of one key head of one token, for up to
// kGroup of the query heads that share it, and leaves an unnormalized sum with its largest score and its
// weight
// ("flash-decoding"). A second kernel joins the ranges in order.
//
// A row of keys or values is read by dim / 8 neighboring lanes, eight columns each; a warp reads several
// rows at a time. Which lane adds what depends on the position alone.
#include <cuda_runtime.h>

#include <cmath>

#include "ops/gpu/cached_attention_gpu.h"
#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

// ---- Storing

constexpr int kStoreWarps = 8;

// The sum over kLanes neighboring lanes, in all of them.
template <int kLanes = kWarp>
__device__ float lanes_sum(float value) {
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// 1 / rms of a head.
template <typename T>
__device__ float head_scale(const T* from, int dim, float epsilon) {
  float squares = 0.0f;
  for (int i = threadIdx.x % kWarp; i < dim; i += kWarp) squares += to_float(from[i]) * to_float(from[i]);
  return rsqrtf(lanes_sum(squares) / static_cast<float>(dim) + epsilon);
}

// One column after the norm, rounded as ops/rms_norm.h says.
template <typename T>
__device__ float normed(const T* from, const T* norm, float scale, int column) {
  if (norm == nullptr) return to_float(from[column]);
  const T rounded = from_float<T>(to_float(from[column]) * scale);
  return to_float(from_float<T>(to_float(rounded) * to_float(norm[column])));
}

// A warp per head: queries and keys are normalized and turned, values copied.
template <typename T>
__global__ void __launch_bounds__(kStoreWarps* kWarp)
    store_kernel(CachedTokensGpu tokens, HeadTransformGpu transform, const T* qkv, T* q) {
  const int64_t token = blockIdx.x;
  const int64_t head = static_cast<int64_t>(blockIdx.y) * kStoreWarps + threadIdx.x / kWarp;
  const int64_t all_heads = tokens.heads + 2 * tokens.kv_heads;
  if (head >= all_heads) return;
  const int lane = threadIdx.x % kWarp;
  const int dim = static_cast<int>(tokens.dim), half = dim / 2;
  const int64_t position = tokens.positions[token];
  const T* from = qkv + (token * all_heads + head) * dim;
  const bool is_query = head < tokens.heads;
  const int64_t key_head = head - tokens.heads, value_head = key_head - tokens.kv_heads;
  if (position < 0) {
    if (is_query) {
      for (int i = lane; i < dim; i += kWarp)
        q[(token * tokens.heads + head) * dim + i] = from_float<T>(0.0f);
    }
    return;
  }
  const int64_t slot = tokens.slots[token];
  const auto place = [&](void* cache, int64_t kv_head) {
    return static_cast<T*>(cache) + ((slot * tokens.kv_heads + kv_head) * tokens.capacity + position) * dim;
  };
  if (value_head >= 0) {
    T* to = place(tokens.values, value_head);
    for (int i = lane; i < dim; i += kWarp) to[i] = from[i];
    return;
  }
  T* to = is_query ? q + (token * tokens.heads + head) * dim : place(tokens.keys, key_head);
  const T* norm = static_cast<const T*>(is_query ? transform.q_norm : transform.k_norm);
  const float scale = norm == nullptr ? 1.0f : head_scale(from, dim, transform.epsilon);
  for (int i = lane; i < half; i += kWarp) {
    const float low = normed(from, norm, scale, i), high = normed(from, norm, scale, i + half);
    const float c = transform.cosine[position * half + i], s = transform.sine[position * half + i];
    to[i] = from_float<T>(low * c - high * s);
    to[i + half] = from_float<T>(high * c + low * s);
  }
}

// ---- Attention

constexpr int kThreads = 128;
constexpr int kRange = 128;  // positions
constexpr int kGroup = 8;    // query heads of a block
constexpr int kAhead = 4;    // rows that a lane has under way
constexpr float kLog2E = 1.4426950408889634f;

// What a block leaves of a range: `dim` sums, then the largest score and the weight.
__device__ int64_t part_size(const CachedTokensGpu& tokens) { return tokens.dim + 2; }

struct RangeOfToken {
  int64_t token;
  int64_t kv_head;
  int64_t first_head;  // of the query heads
  int heads;           // of them
  int first;           // position
  int count;           // positions
};

// The first position that a token at `position` sees.
__device__ int64_t first_seen(const CachedTokensGpu& tokens, int64_t position) {
  return tokens.window > 0 && position >= tokens.window ? position - tokens.window + 1 : 0;
}

// kLanes neighboring lanes take a row.
template <typename T, int kLanes, bool kWide>
struct RowReader {
  static constexpr int kRows = kThreads / kLanes;  // that a block reads at a time

  int column;  // the first of this lane's eight
  int left;    // columns from there on
  int row;     // of those read at a time

  __device__ explicit RowReader(int dim)
      : column(8 * (static_cast<int>(threadIdx.x) % kLanes)),
        left(dim - column),
        row(static_cast<int>(threadIdx.x) / kLanes) {}

  __device__ void load(const T* rows, int64_t index, int dim, float (&value)[8]) const {
    if (left > 0) {
      load_eight<T, kWide>(rows + index * dim + column, left, value);
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k) value[k] = 0.0f;
    }
  }
};

__device__ float dot(const float (&a)[8], const float (&b)[8]) {
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += a[k] * b[k];
  return sum;
}

// score[g][p] = q_g k_p, for all positions of the range.
template <typename T, int kLanes, bool kWide>
__device__ void compute_scores(const RangeOfToken& range, const T* q, const T* keys, int dim, float scale,
                               float (*score)[kRange]) {
  const RowReader<T, kLanes, kWide> reader(dim);
  float query[kGroup][8];
#pragma unroll
  for (int g = 0; g < kGroup; ++g) reader.load(q, g < range.heads ? g : 0, dim, query[g]);
  constexpr int kRows = RowReader<T, kLanes, kWide>::kRows;
  for (int start = 0; start < range.count; start += kAhead * kRows) {
    float key[kAhead][8];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const int p = start + j * kRows + reader.row;
      reader.load(keys, p < range.count ? p : range.count - 1, dim, key[j]);
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const int p = start + j * kRows + reader.row;
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        if (g >= range.heads) break;
        const float sum = lanes_sum<kLanes>(dot(query[g], key[j]));
        if (threadIdx.x % kLanes == 0 && p < range.count) score[g][p] = sum * scale;
      }
    }
  }
}

// A warp per query head turns scores into e^(score - largest) and leaves the largest and the sum.
__device__ void exponentiate(const RangeOfToken& range, float (*score)[kRange], float* largest,
                             float* weight) {
  const int lane = threadIdx.x % kWarp;
  for (int g = threadIdx.x / kWarp; g < range.heads; g += kThreads / kWarp) {
    float most = -INFINITY;
    for (int p = lane; p < range.count; p += kWarp) most = fmaxf(most, score[g][p]);
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
      most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
    float sum = 0.0f;
    for (int p = lane; p < range.count; p += kWarp) {
      const float e = exp2f((score[g][p] - most) * kLog2E);
      score[g][p] = e;
      sum += e;
    }
    sum = lanes_sum(sum);
    if (lane == 0) {
      largest[g] = most;
      weight[g] = sum;
    }
  }
}

// sums[row of those read at a time][g][column]
template <typename T, int kLanes, bool kWide>
__device__ void sum_values(const RangeOfToken& range, const T* values, int dim, const float (*score)[kRange],
                           float* sums) {
  const RowReader<T, kLanes, kWide> reader(dim);
  constexpr int kRows = RowReader<T, kLanes, kWide>::kRows;
  float sum[kGroup][8] = {};
  for (int start = 0; start < range.count; start += kAhead * kRows) {
    float value[kAhead][8];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const int p = start + j * kRows + reader.row;
      reader.load(values, p < range.count ? p : range.count - 1, dim, value[j]);
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const int p = start + j * kRows + reader.row;
      if (p >= range.count) break;
#pragma unroll
      for (int g = 0; g < kGroup; ++g) {
        if (g >= range.heads) break;
        const float factor = score[g][p];
#pragma unroll
        for (int k = 0; k < 8; ++k) sum[g][k] += factor * value[j][k];
      }
    }
  }
#pragma unroll
  for (int g = 0; g < kGroup; ++g) {
    if (g >= range.heads) break;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k < reader.left) sums[(reader.row * range.heads + g) * dim + reader.column + k] = sum[g][k];
    }
  }
}

template <typename T, int kLanes, bool kWide>
__global__ void __launch_bounds__(kThreads)
    range_kernel(CachedTokensGpu tokens, int64_t parts_of_head, float scale, const T* q, float* parts) {
  __shared__ float score[kGroup][kRange];
  __shared__ float largest[kGroup], weight[kGroup];
  extern __shared__ float sums[];  // [rows read at a time, heads, dim]
  const int dim = static_cast<int>(tokens.dim);
  const int group = static_cast<int>(tokens.heads / tokens.kv_heads);
  const int blocks_of_group = (group + kGroup - 1) / kGroup;

  RangeOfToken range;
  range.token = blockIdx.z;
  range.kv_head = blockIdx.y / blocks_of_group;
  const int first_of_group = static_cast<int>(blockIdx.y % blocks_of_group) * kGroup;
  range.first_head = range.kv_head * group + first_of_group;
  range.heads = group - first_of_group < kGroup ? group - first_of_group : kGroup;
  const int64_t seen = tokens.positions[range.token] + 1, oldest = first_seen(tokens, seen - 1);
  const int64_t begin = static_cast<int64_t>(blockIdx.x) * kRange;
  const int64_t end = seen < begin + kRange ? seen : begin + kRange;
  range.first = static_cast<int>(oldest > begin ? oldest : begin);
  if (end <= range.first) return;
  range.count = static_cast<int>(end - range.first);

  const int64_t row =
      (tokens.slots[range.token] * tokens.kv_heads + range.kv_head) * tokens.capacity + range.first;
  const T* query = q + (range.token * tokens.heads + range.first_head) * dim;
  compute_scores<T, kLanes, kWide>(range, query, static_cast<const T*>(tokens.keys) + row * dim, dim, scale,
                                   score);
  __syncthreads();
  exponentiate(range, score, largest, weight);
  __syncthreads();
  sum_values<T, kLanes, kWide>(range, static_cast<const T*>(tokens.values) + row * dim, dim, score, sums);
  __syncthreads();
  constexpr int kRows = RowReader<T, kLanes, kWide>::kRows;
  for (int i = threadIdx.x; i < range.heads * dim; i += kThreads) {
    const int g = i / dim, column = i % dim;
    float sum = 0.0f;
    for (int r = 0; r < kRows; ++r) sum += sums[r * range.heads * dim + i];
    float* part = parts + ((range.token * tokens.heads + range.first_head + g) * parts_of_head + blockIdx.x) *
                              part_size(tokens);
    part[column] = sum;
    if (column == 0) {
      part[dim] = largest[g];
      part[dim + 1] = weight[g];
    }
  }
}

// A block per token and head adds up the ranges, in order.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    join_kernel(CachedTokensGpu tokens, int64_t parts_of_head, const float* parts, T* y) {
  const int64_t token = blockIdx.x, head = blockIdx.y;
  const int dim = static_cast<int>(tokens.dim);
  const int64_t position = tokens.positions[token];
  const int64_t skipped = first_seen(tokens, position) / kRange;               // ranges before the window
  const int count = static_cast<int>((position + kRange) / kRange - skipped);  // 0 for padding
  const float* first = parts + ((token * tokens.heads + head) * parts_of_head + skipped) * part_size(tokens);
  float most = -INFINITY;
  for (int i = 0; i < count; ++i) most = fmaxf(most, first[i * part_size(tokens) + dim]);
  float weight = 0.0f;
  for (int i = 0; i < count; ++i) {
    const float* part = first + i * part_size(tokens);
    weight += part[dim + 1] * exp2f((part[dim] - most) * kLog2E);
  }
  const float factor = count == 0 ? 0.0f : 1.0f / weight;
  for (int column = threadIdx.x; column < dim; column += kThreads) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) {
      const float* part = first + i * part_size(tokens);
      sum += part[column] * exp2f((part[dim] - most) * kLog2E);
    }
    y[(token * tokens.heads + head) * dim + column] = from_float<T>(sum * factor);
  }
}

template <typename T, int kLanes, bool kWide>
void launch_ranges(const CachedTokensGpu& tokens, int64_t parts_of_head, float scale, const void* q,
                   float* parts, cudaStream_t stream) {
  const int64_t group = tokens.heads / tokens.kv_heads;
  const int64_t heads = group < kGroup ? group : kGroup;
  const auto shared = static_cast<size_t>(kThreads / kLanes * heads * tokens.dim) * sizeof(float);
  const dim3 blocks(static_cast<unsigned>(parts_of_head),
                    static_cast<unsigned>(tokens.kv_heads * divide_up(group, kGroup)),
                    static_cast<unsigned>(tokens.tokens));
  range_kernel<T, kLanes, kWide>
      <<<blocks, kThreads, shared, stream>>>(tokens, parts_of_head, scale, static_cast<const T*>(q), parts);
  check_gpu_launch("cached attention");
}

template <typename T, bool kWide>
void launch_by_lanes(const CachedTokensGpu& tokens, int64_t parts_of_head, float scale, const void* q,
                     float* parts, cudaStream_t stream) {
  const int64_t eighths = divide_up(tokens.dim, 8);
  const auto launch = eighths <= 4    ? launch_ranges<T, 4, kWide>
                      : eighths <= 8  ? launch_ranges<T, 8, kWide>
                      : eighths <= 16 ? launch_ranges<T, 16, kWide>
                                      : launch_ranges<T, 32, kWide>;
  launch(tokens, parts_of_head, scale, q, parts, stream);
}

template <typename T>
void attend(const CachedTokensGpu& tokens, int64_t longest, float scale, const void* q, void* y, float* parts,
            cudaStream_t stream) {
  const int64_t parts_of_head = cached_attention_parts(longest);
  const bool wide = tokens.dim % 8 == 0 && are_16_byte_aligned(q, tokens.keys, tokens.values);
  (wide ? launch_by_lanes<T, true> : launch_by_lanes<T, false>)(tokens, parts_of_head, scale, q, parts,
                                                                stream);
  const dim3 blocks(static_cast<unsigned>(tokens.tokens), static_cast<unsigned>(tokens.heads));
  join_kernel<T><<<blocks, kThreads, 0, stream>>>(tokens, parts_of_head, parts, static_cast<T*>(y));
  check_gpu_launch("cached attention, joining");
}

template <typename T>
void store(const CachedTokensGpu& tokens, const HeadTransformGpu& transform, const void* qkv, void* q,
           cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>(tokens.tokens),
                    static_cast<unsigned>(divide_up(tokens.heads + 2 * tokens.kv_heads, kStoreWarps)));
  store_kernel<T><<<blocks, kStoreWarps * kWarp, 0, stream>>>(tokens, transform, static_cast<const T*>(qkv),
                                                              static_cast<T*>(q));
  check_gpu_launch("storing keys and values");
}

}  // namespace

void store_keys_values_gpu(const CachedTokensGpu& tokens, const HeadTransformGpu& transform, const void* qkv,
                           void* q, GpuStream stream) {
  if (tokens.tokens == 0) return;
  (tokens.type == GpuType::kFloat32 ? store<float> : store<__nv_bfloat16>)(tokens, transform, qkv, q,
                                                                           static_cast<cudaStream_t>(stream));
}

int64_t cached_attention_parts(int64_t longest) { return longest < 1 ? 1 : divide_up(longest, kRange); }

void cached_attention_gpu(const CachedTokensGpu& tokens, int64_t longest, float scale, const void* q, void* y,
                          float* parts, GpuStream stream) {
  if (tokens.tokens == 0) return;
  (tokens.type == GpuType::kFloat32
       ? attend<float>
       : attend<__nv_bfloat16>)(tokens, longest, scale, q, y, parts, static_cast<cudaStream_t>(stream));
}

}  // namespace cuset::ops
