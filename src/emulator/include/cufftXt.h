// cuFFT's extended calls: plans by the types of their elements, callbacks. Several GPUs and half are not served.
#pragma once
#define _CUFFTXT_H_  // NVIDIA's include guard

#include "cufft.h"

namespace cufft {

// The transform between elements of these types; 0 where there is none.
inline int type_between(cudaDataType input, cudaDataType output) {
  const struct {
    cudaDataType input, output;
    cufftType type;
  } known[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
               {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
               {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (const auto& row : known)
    if (row.input == input && row.output == output) return row.type;
  return 0;
}

inline bool is_16_bits_wide(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_C_16F || type == CUDA_R_16BF || type == CUDA_C_16BF;
}

inline bool is_store(cufftXtCallbackType type) { return type >= CUFFT_CB_ST_COMPLEX; }

// Whether elements of the plan's input or output are what the callback takes.
inline bool fits(const Plan& plan, cufftXtCallbackType callback) {
  const bool real = is_store(callback) ? is_real_output(plan.type) : is_real_input(plan.type);
  return (callback & 3) == (real ? 2 : 0) + (is_double(plan.type) ? 1 : 0);
}

}  // namespace cufft

template <int = 0>
inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                       long long istride, long long idist, cudaDataType input,
                                       long long* onembed, long long ostride, long long odist,
                                       cudaDataType output, long long batch, size_t* bytes, cudaDataType) {
  if (cufft::is_16_bits_wide(input) || cufft::is_16_bits_wide(output)) cuset_unserved_call("cuFFT of half");
  const int type = cufft::type_between(input, output);
  if (type == 0) return CUFFT_NOT_SUPPORTED;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                             static_cast<cufftType>(type), batch, bytes);
}

template <int = 0>
inline cufftResult cufftXtExec(cufftHandle plan, void* from, void* to, int direction) {
  const cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr || !known->made) return CUFFT_INVALID_PLAN;
  switch (known->type) {
    case CUFFT_C2C:
      return cufftExecC2C(plan, static_cast<cufftComplex*>(from), static_cast<cufftComplex*>(to), direction);
    case CUFFT_R2C:
      return cufftExecR2C(plan, static_cast<cufftReal*>(from), static_cast<cufftComplex*>(to));
    case CUFFT_C2R:
      return cufftExecC2R(plan, static_cast<cufftComplex*>(from), static_cast<cufftReal*>(to));
    case CUFFT_Z2Z:
      return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(from), static_cast<cufftDoubleComplex*>(to),
                          direction);
    case CUFFT_D2Z:
      return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(from), static_cast<cufftDoubleComplex*>(to));
    default:
      return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(from), static_cast<cufftDoubleReal*>(to));
  }
}

// The callback of each element that a transform reads or writes; its offset counts elements of the whole array.
inline cufftResult cufftXtSetCallback(cufftHandle plan, void** functions, cufftXtCallbackType type,
                                      void** infos) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr || !known->made) return CUFFT_INVALID_PLAN;
  if (functions == nullptr || type >= CUFFT_CB_UNDEFINED || !cufft::fits(*known, type))
    return CUFFT_INVALID_VALUE;
  cufft::Callback& callback = cufft::is_store(type) ? known->store : known->load;
  callback.function = functions[0];
  callback.info = infos == nullptr ? nullptr : infos[0];
  return CUFFT_SUCCESS;
}
inline cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  (cufft::is_store(type) ? known->store : known->load) = cufft::Callback();
  return CUFFT_SUCCESS;
}
inline cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t bytes) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  if (bytes > 16384) return CUFFT_INVALID_VALUE;
  (cufft::is_store(type) ? known->store : known->load).shared_bytes = static_cast<unsigned int>(bytes);
  return CUFFT_SUCCESS;
}
