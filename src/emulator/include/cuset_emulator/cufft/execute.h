// cuFFT: running a plan.
#pragma once

#include "cuset_emulator/cufft/elements.h"
#include "cuset_emulator/cufft/plan.h"

namespace cufft {

// The elements of `transforms` transforms from `first` on, as `layout` places them.
inline Elements elements_of(const Plan& plan, const Layout& layout, long long first, long long transforms) {
  Elements elements = {};
  elements.first = first;
  elements.threads = transforms;
  for (int i = 0; i < kMaxRank; ++i) {
    elements.n[i] = elements.all[i] = plan.n[i];
    elements.embed[i] = layout.embed[i];
    elements.threads *= plan.n[i];
  }
  elements.stride = layout.stride;
  elements.dist = layout.dist;
  return elements;
}

// A packed real array in the place of a complex one has room for n/2 + 1 pairs in each line.
inline Layout padded_for_pairs(const Layout& packed) {
  Layout layout = packed;
  layout.embed[kMaxRank - 1] = 2 * (packed.embed[kMaxRank - 1] / 2 + 1);
  layout.dist = layout.embed[0] * layout.embed[1] * layout.embed[2];
  return layout;
}

template <bool half, class In>
inline void load_chunk(const Plan& plan, Elements elements, In* from, double2* to) {
  const unsigned int blocks = blocks_for(elements.threads);
  elements.callback = plan.load;
  if (plan.load.function != nullptr)
    load<In, half, true><<<blocks, kBlock, plan.load.shared_bytes, plan.stream>>>(elements, from, to);
  else
    load<In, half, false><<<blocks, kBlock, 0, plan.stream>>>(elements, from, to);
}

template <class Out>
inline void store_chunk(const Plan& plan, Elements elements, const double2* from, Out* to) {
  elements.callback = plan.store;
  if (is_real_input(plan.type)) {
    elements.threads = elements.threads / elements.n[kMaxRank - 1] * (elements.n[kMaxRank - 1] / 2 + 1);
    elements.n[kMaxRank - 1] = elements.n[kMaxRank - 1] / 2 + 1;
  }
  const unsigned int blocks = blocks_for(elements.threads);
  if (plan.store.function != nullptr)
    store<Out, true><<<blocks, kBlock, plan.store.shared_bytes, plan.stream>>>(elements, from, to);
  else
    store<Out, false><<<blocks, kBlock, 0, plan.stream>>>(elements, from, to);
}

// `half`: the input is the half of a symmetric spectrum.
template <bool half, class In, class Out>
inline cufftResult execute(const Plan& plan, In* from, Out* to, bool inverse) {
  if (from == nullptr || to == nullptr) return CUFFT_INVALID_VALUE;
  if (plan.work == nullptr) return CUFFT_NO_WORKSPACE;
  const bool in_place = static_cast<const void*>(from) == static_cast<const void*>(to);
  const Layout input =
      in_place && plan.packed_input && is_real_input(plan.type) ? padded_for_pairs(plan.input) : plan.input;
  const Layout output = in_place && plan.packed_output && is_real_output(plan.type)
                            ? padded_for_pairs(plan.output)
                            : plan.output;
  for (long long first = 0; first < plan.batch; first += plan.chunk) {
    const long long count = plan.batch - first < plan.chunk ? plan.batch - first : plan.chunk;
    double2* const area = reinterpret_cast<double2*>(plan.work);
    WorkArrays work{area, area + plan.work_bytes / sizeof(double2) / 2};
    Elements loaded = elements_of(plan, input, first, count),
             stored = elements_of(plan, output, first, count);
    loaded.swap = stored.swap = inverse;
    load_chunk<half>(plan, loaded, from, work.now);
    transform(plan, count, work);
    store_chunk(plan, stored, work.now, to);
  }
  return status_of(cudaPeekAtLastError());
}

template <bool half, class In, class Out>
inline cufftResult execute(cufftHandle handle, cufftType type, In* from, Out* to, int direction) {
  const Plan* const plan = plan_of(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  return execute<half>(*plan, from, to, direction == CUFFT_INVERSE);
}

}  // namespace cufft

template <int = 0>
inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction) {
  return cufft::execute<false>(plan, CUFFT_C2C, from, to, direction);
}
template <int = 0>
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to) {
  return cufft::execute<false>(plan, CUFFT_R2C, from, to, CUFFT_FORWARD);
}
template <int = 0>
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to) {
  return cufft::execute<true>(plan, CUFFT_C2R, from, to, CUFFT_INVERSE);
}
template <int = 0>
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to,
                                int direction) {
  return cufft::execute<false>(plan, CUFFT_Z2Z, from, to, direction);
}
template <int = 0>
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to) {
  return cufft::execute<false>(plan, CUFFT_D2Z, from, to, CUFFT_FORWARD);
}
template <int = 0>
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to) {
  return cufft::execute<true>(plan, CUFFT_Z2D, from, to, CUFFT_INVERSE);
}
