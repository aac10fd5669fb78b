// A thread turns neighboring columns of the first half of a head with those of the second, for every so
// manyth head of a token: the token's angles are read once. The three dimensions of a block are columns,
// heads and tokens, so that no index needs a division.
#include "ops/gpu/rotary_gpu.h"

#include <cuda_runtime.h>

#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

constexpr int kThreads = 256;

struct RotaryShape {
  int64_t tokens;
  int64_t heads;
  int64_t half;  // of a head's columns
  float sine_sign;
};

template <int kLanes>
__device__ void load_angles(const float* from, float (&value)[kLanes]) {
  using P = WidePack<float, kLanes % 4 == 0 ? 4 : 1>;
  constexpr int kEach = sizeof(P) / sizeof(float);
#pragma unroll
  for (int i = 0; i < kLanes / kEach; ++i) {
    const P pack = reinterpret_cast<const P*>(from)[i];
#pragma unroll
    for (int k = 0; k < kEach; ++k) value[i * kEach + k] = pack.value[k];
  }
}

template <typename T, int kLanes>
__global__ void __launch_bounds__(kThreads)
    rotate_kernel(RotaryShape shape, const T* x, T* y, const float* cosine, const float* sine) {
  using P = WidePack<T, kLanes>;
  const int64_t token = static_cast<int64_t>(blockIdx.x) * blockDim.z + threadIdx.z;
  if (token >= shape.tokens) return;
  for (int64_t column = threadIdx.x * kLanes; column < shape.half; column += blockDim.x * kLanes) {
    float of_cosine[kLanes];
    float of_sine[kLanes];
    load_angles<kLanes>(cosine + token * shape.half + column, of_cosine);
    load_angles<kLanes>(sine + token * shape.half + column, of_sine);
    for (int64_t head = threadIdx.y; head < shape.heads; head += blockDim.y) {
      const int64_t first = (token * shape.heads + head) * 2 * shape.half + column;
      P low = *reinterpret_cast<const P*>(x + first);
      P high = *reinterpret_cast<const P*>(x + first + shape.half);
#pragma unroll
      for (int k = 0; k < kLanes; ++k) {
        const float a = to_float(low.value[k]);
        const float b = to_float(high.value[k]);
        const float turn = shape.sine_sign * of_sine[k];
        low.value[k] = from_float<T>(a * of_cosine[k] - b * turn);
        high.value[k] = from_float<T>(b * of_cosine[k] + a * turn);
      }
      *reinterpret_cast<P*>(y + first) = low;
      *reinterpret_cast<P*>(y + first + shape.half) = high;
    }
  }
}

unsigned at_most(int64_t value, int64_t limit) {
  return static_cast<unsigned>(value < limit ? value : limit);
}

template <typename T, int kLanes>
void launch(const RotaryShape& shape, const void* x, void* y, const float* cosine, const float* sine,
            cudaStream_t stream) {
  dim3 threads;
  threads.x = at_most(shape.half / kLanes, kThreads);
  threads.y = at_most(shape.heads, kThreads / threads.x);
  threads.z = at_most(kThreads / (threads.x * threads.y), 64);
  const auto blocks = static_cast<unsigned>(divide_up(shape.tokens, threads.z));
  rotate_kernel<T, kLanes>
      <<<blocks, threads, 0, stream>>>(shape, static_cast<const T*>(x), static_cast<T*>(y), cosine, sine);
  check_gpu_launch("rotary");
}

}  // namespace

void rotate_gpu(GpuType type, int64_t tokens, int64_t heads, int64_t dim, const void* x, void* y,
                const float* cosine, const float* sine, bool inverse, GpuStream gpu_stream) {
  if (tokens == 0 || heads == 0 || dim < 2) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const RotaryShape shape{
      .tokens = tokens, .heads = heads, .half = dim / 2, .sine_sign = inverse ? -1.0f : 1.0f};
  const bool aligned = are_16_byte_aligned(x, y, cosine, sine);
  if (type == GpuType::kFloat32) {
    (aligned && shape.half % 4 == 0 ? launch<float, 4> : launch<float, 1>)(shape, x, y, cosine, sine, stream);
  } else {
    (aligned && shape.half % 8 == 0 ? launch<__nv_bfloat16, 8>
                                    : launch<__nv_bfloat16, 1>)(shape, x, y, cosine, sine, stream);
  }
}

}  // namespace cuset::ops
