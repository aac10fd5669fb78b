// cuFFT: plans. A plan holds tables of roots on the device and two work arrays for as many transforms of its batch as fit
// into the cache, but at least one.
#pragma once

#include "cuset_emulator/cufft/kernels.h"

namespace cufft {

constexpr long long kWorkElements = 1 << 19;  // that are transformed at a time, 8 MiB
constexpr long long kMostElements = 1LL << 31;

inline unsigned int blocks_for(long long threads) {
  return static_cast<unsigned int>((threads + kBlock - 1) / kBlock);
}

// 4 before 2, then the primes; empty where one is too large for a pass.
inline std::vector<int> radices_of(long long length) {
  std::vector<int> radices;
  for (int radix : {4, 2, 3, 5})
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  for (int radix = 7; radix <= kLargestRadix; radix += 2)
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  if (length != 1) radices.clear();
  return radices;
}

inline long long power_of_two_from(long long length) {
  long long power = 1;
  while (power < length) power *= 2;
  return power;
}

// The length that is really transformed on an axis of `n` elements.
inline long long work_length(long long n) {
  return n == 1 || !radices_of(n).empty() ? n : power_of_two_from(2 * n - 1);
}

// Two arrays that take turns: a step reads `now` and leaves its result in `other`.
struct WorkArrays {
  double2 *now, *other;
  void turn() {
    double2* const kept = now;
    now = other;
    other = kept;
  }
};

template <int = 0>
inline void transform(const Passes& passes, long long inner, long long outer, WorkArrays& work,
                      cudaStream_t stream) {
  long long s = inner;
  for (const int radix : passes.radices) {
    Pass at;
    at.radix = radix;
    at.length = static_cast<unsigned int>(passes.length);
    at.s = static_cast<unsigned int>(s);
    at.m = static_cast<unsigned int>(passes.length * inner / (s * radix));
    at.root_step = static_cast<unsigned int>(s / inner);
    at.threads = static_cast<unsigned int>(outer * passes.length * inner / radix);
    const unsigned int blocks = blocks_for(at.threads);
    switch (radix) {
      case 2:
        pass<2><<<blocks, kBlock, 0, stream>>>(at, work.now, work.other, passes.roots);
        break;
      case 3:
        pass<3><<<blocks, kBlock, 0, stream>>>(at, work.now, work.other, passes.roots);
        break;
      case 4:
        pass<4><<<blocks, kBlock, 0, stream>>>(at, work.now, work.other, passes.roots);
        break;
      case 5:
        pass<5><<<blocks, kBlock, 0, stream>>>(at, work.now, work.other, passes.roots);
        break;
      default:
        pass_of_any_radix<<<blocks, kBlock, 0, stream>>>(at, work.now, work.other, passes.roots);
    }
    work.turn();
    s *= radix;
  }
}

template <int = 0>
inline void transform_by_chirp(const Axis& axis, long long outer, WorkArrays& work, cudaStream_t stream) {
  const long long n = axis.direct.length, padded = axis.padded.length;
  const auto sizes = [&](long long threads) {
    return Chirp{static_cast<unsigned int>(threads), static_cast<unsigned int>(n),
                 static_cast<unsigned int>(padded), static_cast<unsigned int>(axis.inner)};
  };
  const Chirp wide = sizes(outer * padded * axis.inner), narrow = sizes(outer * n * axis.inner);
  multiply_by_chirp<<<blocks_for(wide.threads), kBlock, 0, stream>>>(wide, work.now, work.other, axis.chirp);
  work.turn();
  transform(axis.padded, axis.inner, outer, work, stream);
  multiply_by_spectrum<<<blocks_for(wide.threads), kBlock, 0, stream>>>(wide, work.now, axis.spectrum);
  transform(axis.padded, axis.inner, outer, work, stream);
  take_from_chirp<<<blocks_for(narrow.threads), kBlock, 0, stream>>>(narrow, work.now, work.other,
                                                                     axis.chirp);
  work.turn();
}

// All axes of `transforms` transforms, from work.now to work.now.
template <int = 0>
inline void transform(const Plan& plan, long long transforms, WorkArrays& work) {
  for (int i = plan.rank - 1; i >= 0; --i) {
    const Axis& axis = plan.axes[i];
    const long long outer = transforms * plan.size() / (axis.direct.length * axis.inner);
    if (axis.padded.length > 1)
      transform_by_chirp(axis, outer, work, plan.stream);
    else
      transform(axis.direct, axis.inner, outer, work, plan.stream);
  }
}

template <int = 0>
inline cudaError_t make_passes(long long length, Passes& passes) {
  passes.length = length;
  passes.radices = radices_of(length);
  const cudaError_t error = cudaMalloc(&passes.roots, length * sizeof(double2));
  if (error == cudaSuccess) fill_roots<<<blocks_for(length), kBlock>>>(passes.roots, length);
  return error;
}

template <int = 0>
inline cudaError_t make_chirp(Axis& axis) {
  const long long n = axis.direct.length, padded = work_length(n);
  cudaError_t error = make_passes(padded, axis.padded);
  double2* scratch = nullptr;
  if (error == cudaSuccess) error = cudaMalloc(&axis.chirp, n * sizeof(double2));
  if (error == cudaSuccess) error = cudaMalloc(&axis.spectrum, padded * sizeof(double2));
  if (error == cudaSuccess) error = cudaMalloc(&scratch, padded * sizeof(double2));
  if (error != cudaSuccess) return error;
  fill_chirps<<<blocks_for(padded), kBlock>>>(axis.chirp, scratch, n, padded);
  WorkArrays work{scratch, axis.spectrum};
  transform(axis.padded, 1, 1, work, nullptr);
  if (work.now != axis.spectrum) {
    scratch = axis.spectrum;
    axis.spectrum = work.now;
  }
  error = cudaDeviceSynchronize();
  cudaFree(scratch);
  return error;
}

template <int = 0>
inline cudaError_t make_axes(Plan& plan) {
  long long inner = 1;
  for (int i = plan.rank - 1; i >= 0; --i) {
    Axis& axis = plan.axes[i];
    axis.inner = inner;
    axis.direct.length = plan.n[i];
    inner *= plan.n[i];
    if (plan.n[i] == 1) continue;
    const bool direct = work_length(plan.n[i]) == plan.n[i];
    const cudaError_t error = direct ? make_passes(plan.n[i], axis.direct) : make_chirp(axis);
    if (error != cudaSuccess) return error;
  }
  return cudaDeviceSynchronize();
}

inline void free_tables(Plan& plan) {
  for (Axis& axis : plan.axes) {
    for (double2* table : {axis.direct.roots, axis.padded.roots, axis.chirp, axis.spectrum})
      if (table != nullptr) cudaFree(table);
    axis = Axis();
  }
  if (plan.owns_work && plan.work != nullptr) cudaFree(plan.work);
  plan.work = nullptr;
}

// Elements of the longest work array that one transform needs.
inline long long work_elements(int rank, const long long* n) {
  long long size = 1, most = 1;
  for (int i = 0; i < rank; ++i) size *= n[i];
  most = size;
  for (int i = 0; i < rank; ++i) {
    const long long padded = size / n[i] * work_length(n[i]);
    if (padded > most) most = padded;
  }
  return most;
}

// Bytes of the work area, and how many transforms it holds.
inline size_t work_bytes(int rank, const long long* n, long long batch, bool in_chunks, long long* chunk) {
  const long long one = work_elements(rank, n);
  *chunk = one >= kWorkElements ? 1 : kWorkElements / one;
  if (*chunk > batch || !in_chunks) *chunk = batch;
  return static_cast<size_t>(*chunk * one) * 2 * sizeof(double2);
}

// What a caller says about a plan; an empty embed is a packed array.
struct Request {
  int rank;
  const long long* n;
  const long long *input_embed, *output_embed;
  long long input_stride, input_dist, output_stride, output_dist;
  cufftType type;
  long long batch;
};

inline void set_layout(Layout& layout, const Request& request, const long long* embed, long long stride,
                       long long dist, long long last) {
  const int pad = kMaxRank - request.rank;
  layout = Layout();
  for (int i = 0; i < request.rank; ++i) layout.embed[pad + i] = embed ? embed[i] : request.n[i];
  if (embed == nullptr) layout.embed[kMaxRank - 1] = last;
  layout.stride = embed ? stride : 1;
  layout.dist = embed ? dist : layout.embed[0] * layout.embed[1] * layout.embed[2];
}

inline cufftResult check_request(const Request& request) {
  if (request.rank < 1 || request.rank > kMaxRank) return CUFFT_INVALID_VALUE;
  for (const cufftType type : {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D})
    if (type == request.type) {
      for (int i = 0; i < request.rank; ++i)
        if (request.n[i] < 1 || request.n[i] > kMostElements) return CUFFT_INVALID_SIZE;
      if (request.batch < 1) return CUFFT_INVALID_SIZE;
      return work_elements(request.rank, request.n) > kMostElements ? CUFFT_NOT_SUPPORTED : CUFFT_SUCCESS;
    }
  return CUFFT_INVALID_TYPE;
}

// Whether a transform in place leaves what later ones of the batch read.
inline bool can_split(const Plan& plan) {
  if (plan.packed_input && plan.packed_output) return true;
  const bool complex = !is_real_input(plan.type) && !is_real_output(plan.type);
  bool same = plan.input.stride == plan.output.stride && plan.input.dist == plan.output.dist;
  for (int i = 0; i < kMaxRank; ++i) same = same && plan.input.embed[i] == plan.output.embed[i];
  return complex && same;
}

// Lengths stand at the end of plan.n, so that the last axis is always n[2]; axes follow plan.n.
template <int = 0>
inline cufftResult make_plan(cufftHandle handle, const Request& request, size_t* bytes) {
  Plan* const plan = plan_of(handle);
  if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
  if (const cufftResult wrong = check_request(request)) return wrong;
  plan->type = request.type;
  plan->rank = kMaxRank;
  plan->batch = request.batch;
  for (int i = 0; i < request.rank; ++i) plan->n[kMaxRank - request.rank + i] = request.n[i];
  const long long last = plan->n[kMaxRank - 1], half = last / 2 + 1;
  plan->packed_input = request.input_embed == nullptr;
  plan->packed_output = request.output_embed == nullptr;
  set_layout(plan->input, request, request.input_embed, request.input_stride, request.input_dist,
             is_real_output(request.type) ? half : last);
  set_layout(plan->output, request, request.output_embed, request.output_stride, request.output_dist,
             is_real_input(request.type) ? half : last);
  plan->work_bytes = work_bytes(plan->rank, plan->n, plan->batch, can_split(*plan), &plan->chunk);
  if (make_axes(*plan) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  if (plan->owns_work && cudaMalloc(&plan->work, plan->work_bytes) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  plan->made = true;
  if (bytes != nullptr) *bytes = plan->work_bytes;
  return CUFFT_SUCCESS;
}

}  // namespace cufft
