// cuFFT: transforms of one to three dimensions, of float and double, complex and real, any length, in batches with strides.
// Its kernels are CUDA kernels of ours, compiled with the program. All transforms are computed in double.
// What is not declared here is not served.
#pragma once
#define _CUFFT_H_  // NVIDIA's include guard

#include "cuset_emulator/cufft/execute.h"
#include "cuset_emulator/cufft/plan.h"

inline cufftResult cufftCreate(cufftHandle* plan) {
  if (plan == nullptr) return CUFFT_INVALID_VALUE;
  cufft::PlanTable& table = cufft::plan_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  table.plans.push_back(new cufft::Plan);
  *plan = static_cast<cufftHandle>(table.plans.size());
  return CUFFT_SUCCESS;
}
inline cufftResult cufftDestroy(cufftHandle plan) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  cufft::free_tables(*known);
  delete known;
  const std::lock_guard<std::mutex> lock(cufft::plan_table().mutex);
  cufft::plan_table().plans[plan - 1] = nullptr;
  return CUFFT_SUCCESS;
}

template <int = 0>
inline cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                       long long istride, long long idist, long long* onembed,
                                       long long ostride, long long odist, cufftType type, long long batch,
                                       size_t* bytes) {
  return cufft::make_plan(plan, {rank, n, inembed, onembed, istride, idist, ostride, odist, type, batch},
                          bytes);
}
template <int = 0>
inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                                     int* onembed, int ostride, int odist, cufftType type, int batch,
                                     size_t* bytes) {
  if (rank < 1 || rank > cufft::kMaxRank || n == nullptr) return CUFFT_INVALID_VALUE;
  long long lengths[3], in[3], out[3];
  for (int i = 0; i < rank; ++i) {
    lengths[i] = n[i];
    in[i] = inembed ? inembed[i] : 0;
    out[i] = onembed ? onembed[i] : 0;
  }
  return cufftMakePlanMany64(plan, rank, lengths, inembed ? in : nullptr, istride, idist,
                             onembed ? out : nullptr, ostride, odist, type, batch, bytes);
}
template <int = 0>
inline cufftResult cufftMakePlan1d(cufftHandle plan, int n, cufftType type, int batch, size_t* bytes) {
  return cufftMakePlanMany(plan, 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch, bytes);
}
template <int = 0>
inline cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes) {
  int n[2] = {nx, ny};
  return cufftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, bytes);
}
template <int = 0>
inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes) {
  int n[3] = {nx, ny, nz};
  return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, bytes);
}

template <int = 0>
inline cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                                 int* onembed, int ostride, int odist, cufftType type, int batch) {
  if (const cufftResult wrong = cufftCreate(plan)) return wrong;
  const cufftResult result = cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride,
                                               odist, type, batch, nullptr);
  if (result != CUFFT_SUCCESS) cufftDestroy(*plan);
  return result;
}
template <int = 0>
inline cufftResult cufftPlan1d(cufftHandle* plan, int n, cufftType type, int batch) {
  return cufftPlanMany(plan, 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
template <int = 0>
inline cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  int n[2] = {nx, ny};
  return cufftPlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
template <int = 0>
inline cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  int n[3] = {nx, ny, nz};
  return cufftPlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

// The work area of a plan that is not made yet, at most.
inline cufftResult cufftEstimateMany(int rank, int* n, int*, int, int, int*, int, int, cufftType, int batch,
                                     size_t* bytes) {
  if (rank < 1 || rank > cufft::kMaxRank || n == nullptr || bytes == nullptr) return CUFFT_INVALID_VALUE;
  long long lengths[3], chunk;
  for (int i = 0; i < rank; ++i) {
    if (n[i] < 1 || batch < 1) return CUFFT_INVALID_SIZE;
    lengths[i] = n[i];
  }
  *bytes = cufft::work_bytes(rank, lengths, batch, false, &chunk);
  return CUFFT_SUCCESS;
}
inline cufftResult cufftEstimate1d(int n, cufftType type, int batch, size_t* bytes) {
  return cufftEstimateMany(1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch, bytes);
}
inline cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* bytes) {
  int n[2] = {nx, ny};
  return cufftEstimateMany(2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, bytes);
}
inline cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* bytes) {
  int n[3] = {nx, ny, nz};
  return cufftEstimateMany(3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, bytes);
}
inline cufftResult cufftGetSize1d(cufftHandle, int n, cufftType type, int batch, size_t* bytes) {
  return cufftEstimate1d(n, type, batch, bytes);
}
inline cufftResult cufftGetSize2d(cufftHandle, int nx, int ny, cufftType type, size_t* bytes) {
  return cufftEstimate2d(nx, ny, type, bytes);
}
inline cufftResult cufftGetSize3d(cufftHandle, int nx, int ny, int nz, cufftType type, size_t* bytes) {
  return cufftEstimate3d(nx, ny, nz, type, bytes);
}
inline cufftResult cufftGetSizeMany(cufftHandle, int rank, int* n, int* inembed, int istride, int idist,
                                    int* onembed, int ostride, int odist, cufftType type, int batch,
                                    size_t* bytes) {
  return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}
inline cufftResult cufftGetSize(cufftHandle plan, size_t* bytes) {
  const cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  *bytes = known->work_bytes;
  return CUFFT_SUCCESS;
}

inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  known->stream = stream;
  return CUFFT_SUCCESS;
}
// Before the plan is made.
inline cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  known->owns_work = automatic != 0;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftSetWorkArea(cufftHandle plan, void* area) {
  cufft::Plan* const known = cufft::plan_of(plan);
  if (known == nullptr) return CUFFT_INVALID_PLAN;
  if (known->owns_work && known->work != nullptr) cudaFree(known->work);
  known->owns_work = false;
  known->work = static_cast<char*>(area);
  return CUFFT_SUCCESS;
}
inline cufftResult cufftGetVersion(int* version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
