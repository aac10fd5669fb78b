// One read and one write of the logits: while a row streams in, it is kept in shared memory and its
// log-sum-exp is formed on the fly (a running maximum and a sum relative to it, per thread, joined at the
// end); then softmax is written from shared memory.
//
// A row that one block's shared memory does not hold is spread over a cluster of up to eight blocks
// (compute capability 9), which join their sums through distributed shared memory. Where that does not hold
// it either, one block reads the row twice, the second time mostly from the L2 cache.
#include "ops/gpu/linear_cross_entropy_gpu.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>

#include "ops/gpu/gpu_values.cuh"

namespace cuset::ops {
namespace {

constexpr int kThreads = 512;
constexpr int kUnrolled = 4;  // reads that a thread has under way
constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLowest = -1e38f;  // finite, so that -infinite logits give exp(-infinity) = 0 and not NaN

// e^value to 2^-22, 0 below 2^-126.
__device__ float exponential(float value) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value * kLog2E));
  return result;
}

// The target's logit, and which columns of a row part are before it.
struct Target {
  float logit;
  int64_t columns_before;
};

// log sum exp of some logits is maximum + log(sum).
struct LogSum {
  float maximum;
  float sum;
  int rivals;  // columns before the target with the target's logit

  // `column` is the first of them.
  template <int kLanes>
  __device__ void add(const float (&logits)[kLanes], const Target& target, int64_t column) {
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      rivals += logits[k] == target.logit && column + k < target.columns_before ? 1 : 0;
    }
    float largest = maximum;
#pragma unroll
    for (int k = 0; k < kLanes; ++k) largest = fmaxf(largest, logits[k]);
    if (largest > maximum) {
      sum *= exponential(maximum - largest);
      maximum = largest;
    }
#pragma unroll
    for (int k = 0; k < kLanes; ++k) sum += exponential(logits[k] - maximum);
  }

  __device__ void join(const LogSum& other) {
    const float largest = fmaxf(maximum, other.maximum);
    sum = sum * exponential(maximum - largest) + other.sum * exponential(other.maximum - largest);
    maximum = largest;
    rivals += other.rivals;
  }
};

__device__ LogSum join_block(LogSum mine) {
  __shared__ LogSum of_warp[kThreads / kWarp];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    LogSum other;
    other.maximum = __shfl_xor_sync(0xffffffffu, mine.maximum, offset);
    other.sum = __shfl_xor_sync(0xffffffffu, mine.sum, offset);
    other.rivals = __shfl_xor_sync(0xffffffffu, mine.rivals, offset);
    mine.join(other);
  }
  if (threadIdx.x % kWarp == 0) of_warp[threadIdx.x / kWarp] = mine;
  __syncthreads();
  LogSum total = of_warp[0];
  for (int w = 1; w < kThreads / kWarp; ++w) total.join(of_warp[w]);
  return total;
}

// The sum over a cluster's blocks, the same bits in all of them. No block may end before the others have
// read its sum: they meet once more at the end.
__device__ LogSum join_cluster([[maybe_unused]] const LogSum& mine, [[maybe_unused]] int blocks) {
#if __CUDA_ARCH__ >= 900
  __shared__ LogSum of_block;
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) of_block = mine;
  cluster.sync();
  LogSum total = *cluster.map_shared_rank(&of_block, 0);
  for (int b = 1; b < blocks; ++b) total.join(*cluster.map_shared_rank(&of_block, b));
  return total;
#else
  __trap();
#endif
}

__device__ void meet_cluster() {
#if __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();
#endif
}

// A block's part of a row, in packs of kLanes logits.
template <typename T, int kLanes>
struct RowPart {
  using P = WidePack<T, kLanes>;
  P* logits;
  P* kept;  // in shared memory, or null: not kept
  int packs;
  int target;  // which pack holds the target, if any of these
  int target_lane;
  int64_t columns_before;  // of these, before the target; beyond their number if it is in a later part

  __device__ RowPart(const LinearCrossEntropyGpu& head, int64_t row, int part, int parts, void* shared) {
    const int64_t packs_of_row = head.vocab / kLanes;
    const int64_t share = (packs_of_row + parts - 1) / parts;
    const int64_t first = part * share;
    const int64_t left = packs_of_row - first;
    logits = static_cast<P*>(head.z) + row * packs_of_row + first;
    kept = static_cast<P*>(shared);
    packs = static_cast<int>(left < 0 ? 0 : left < share ? left : share);
    const int64_t of_row = head.targets[row];
    const bool is_here = of_row >= first * kLanes && of_row < (first + packs) * kLanes;
    target = is_here ? static_cast<int>(of_row / kLanes - first) : -1;
    target_lane = static_cast<int>(of_row % kLanes);
    columns_before = of_row - first * kLanes;
  }

  template <bool kKeeps>
  __device__ LogSum read(float target_logit) const {
    LogSum sum{kLowest, 0.0f, 0};
    const Target of_row{target_logit, columns_before};
    for (int start = threadIdx.x; start < packs; start += kUnrolled * kThreads) {
      P pack[kUnrolled];
#pragma unroll
      for (int j = 0; j < kUnrolled; ++j) {
        if (start + j * kThreads < packs) pack[j] = logits[start + j * kThreads];
      }
#pragma unroll
      for (int j = 0; j < kUnrolled; ++j) {
        if (start + j * kThreads >= packs) break;
        if constexpr (kKeeps) kept[start + j * kThreads] = pack[j];
        float value[kLanes];
#pragma unroll
        for (int k = 0; k < kLanes; ++k) value[k] = to_float(pack[j].value[k]);
        sum.add(value, of_row, static_cast<int64_t>(start + j * kThreads) * kLanes);
      }
    }
    return sum;
  }

  // A thread writes what it has read itself.
  template <bool kKeeps>
  __device__ void write_gradient(const LogSum& total) const {
    const float scale = 1.0f / total.sum;
#pragma unroll(kKeeps ? 2 : 1)
    for (int i = threadIdx.x; i < packs; i += kThreads) {
      P pack = kKeeps ? kept[i] : logits[i];
      float value[kLanes];
#pragma unroll
      for (int k = 0; k < kLanes; ++k) {
        value[k] = scale * exponential(to_float(pack.value[k]) - total.maximum);
      }
      if (i == target) {
#pragma unroll
        for (int k = 0; k < kLanes; ++k) value[k] -= k == target_lane ? 1.0f : 0.0f;
      }
#pragma unroll
      for (int k = 0; k < kLanes; ++k) pack.value[k] = from_float<T>(value[k]);
      logits[i] = pack;
    }
  }
};

template <typename T>
__device__ float target_logit(const LinearCrossEntropyGpu& head, int64_t row) {
  const int64_t target = head.targets[row];
  if (target < 0 || target >= head.vocab) return NAN;
  return to_float(static_cast<const T*>(head.z)[row * head.vocab + target]);
}

// `parts` neighboring blocks, a cluster if more than one, take a row.
template <typename T, int kLanes, bool kKeeps, bool kCluster>
__global__ void __launch_bounds__(kThreads, 2) head_kernel(LinearCrossEntropyGpu head, int parts) {
  extern __shared__ uint4 shared[];
  const int64_t row = kCluster ? blockIdx.x / parts : blockIdx.x;
  const int part = kCluster ? blockIdx.x % parts : 0;
  const RowPart<T, kLanes> mine(head, row, part, parts, shared);
  const bool reports = part == 0 && threadIdx.x == 0;
  // Read before anything is written: joining the sums is a barrier.
  const float logit = target_logit<T>(head, row);

  LogSum total = join_block(mine.template read<kKeeps>(logit));
  if constexpr (kCluster) total = join_cluster(total, parts);
  if (reports) {
    const float log_sum = logf(total.sum);
    head.log_probability[row] = logit - total.maximum - log_sum;
    head.best_log_probability[row] = -log_sum;
    head.is_likeliest[row] = logit >= total.maximum && total.rivals == 0;
  }
  if (head.write_gradient) mine.template write_gradient<kKeeps>(total);
  if constexpr (kCluster) meet_cluster();
}

using HeadKernel = void (*)(LinearCrossEntropyGpu, int);

struct HeadKernels {
  HeadKernel cluster;    // keeps the row in the shared memory of several blocks
  HeadKernel one_block;  // keeps it in that of one
  HeadKernel two_reads;
};

template <typename T, int kLanes>
constexpr HeadKernels kHeadKernels{head_kernel<T, kLanes, true, true>, head_kernel<T, kLanes, true, false>,
                                   head_kernel<T, kLanes, false, false>};

HeadKernels kernels_of(const LinearCrossEntropyGpu& head) {
  const bool aligned = are_16_byte_aligned(head.z);
  if (head.type == GpuType::kFloat32) {
    return aligned && head.vocab % 4 == 0 ? kHeadKernels<float, 4> : kHeadKernels<float, 1>;
  }
  return aligned && head.vocab % 8 == 0 ? kHeadKernels<__nv_bfloat16, 8> : kHeadKernels<__nv_bfloat16, 1>;
}

// The shared memory that a block may ask for when it runs; 0 if the GPU does not answer.
int64_t shared_memory_limit() {
  int device = 0;
  int bytes = 0;
  const bool answered =
      cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess;
  constexpr int64_t kOwn = 1024;  // for the sums
  return answered && bytes > kOwn ? bytes - kOwn : 0;
}

// Whether the machine code in use was compiled for thread-block clusters.
bool has_clusters(HeadKernel kernel) {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess && attributes.ptxVersion >= 90;
}

struct RowPlan {
  int parts;      // blocks per row
  int64_t bytes;  // of shared memory in each; 0: the row does not fit
};

// As few blocks as let two share a multiprocessor, so that one writes while the other reads; else as few as
// hold the row at all.
RowPlan plan_row(const LinearCrossEntropyGpu& head, const HeadKernels& kernels) {
  const int64_t limit = shared_memory_limit();
  const int most_parts = has_clusters(kernels.cluster) ? 8 : 1;
  const int64_t element = head.type == GpuType::kFloat32 ? 4 : 2;
  for (const int64_t room : {limit / 2 - 1024, limit}) {
    for (int parts = 1; parts <= most_parts; parts *= 2) {
      // A share is at most 16 bytes more than an equal one.
      const int64_t bytes = divide_up(head.vocab * element, 16 * parts) * 16;
      if (bytes <= room) return {parts, bytes};
    }
  }
  return {1, 0};
}

void launch_kept(const LinearCrossEntropyGpu& head, const HeadKernels& kernels, const RowPlan& plan,
                 cudaStream_t stream) {
  const HeadKernel kernel = plan.parts > 1 ? kernels.cluster : kernels.one_block;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared_memory_limit()));
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(plan.parts), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(head.rows * plan.parts));
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = static_cast<size_t>(plan.bytes);
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = plan.parts > 1 ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, head, plan.parts);
}

}  // namespace

void linear_cross_entropy_gpu(const LinearCrossEntropyGpu& head, GpuStream gpu_stream) {
  if (head.rows == 0) return;
  const auto stream = static_cast<cudaStream_t>(gpu_stream);
  const HeadKernels kernels = kernels_of(head);
  const RowPlan plan = head.write_gradient ? plan_row(head, kernels) : RowPlan{1, 0};
  if (plan.bytes > 0) {
    launch_kept(head, kernels, plan, stream);
  } else {
    kernels.two_reads<<<static_cast<unsigned>(head.rows), kThreads, 0, stream>>>(head, 1);
  }
  check_gpu_launch("linear_cross_entropy");
}

}  // namespace cuset::ops
