// cuBLAS: products of matrices: every transposition, leading dimensions, batches, double and half, GemmEx.
// needs: cuBLAS
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

#define CHECK(call) \
  if (cublasStatus_t status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

constexpr int m = 19, n = 11, k = 23, ld = 29, size = ld * ld;

// Element (i, j) of op(A).
template <class T>
double element(const T* a, cublasOperation_t op, int i, int j) {
  return static_cast<double>(static_cast<float>(op == CUBLAS_OP_N ? a[i + ld * j] : a[j + ld * i]));
}

// All numbers are small whole ones, so that every order of summation gives the same.
template <class T>
bool is_product(const T* a, cublasOperation_t op_a, const T* b, cublasOperation_t op_b, double beta,
                double old, const T* c) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double wanted = beta * old;
      for (int p = 0; p < k; ++p) wanted += 2 * element(a, op_a, i, p) * element(b, op_b, p, j);
      if (static_cast<double>(static_cast<float>(c[i + ld * j])) != wanted) return false;
    }
  return true;
}

template <class T>
T* filled(int count, int seed) {
  T* numbers;
  cudaMallocManaged(&numbers, count * sizeof(T));
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<T>(static_cast<float>((i * 7 + seed) % 5 - 2));
  return numbers;
}

int main() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  float *a = filled<float>(3 * size, 1), *b = filled<float>(3 * size, 2), *c = filled<float>(3 * size, 0);
  double *da = filled<double>(size, 1), *db = filled<double>(size, 2), *dc = filled<double>(size, 0);
  __half *ha = filled<__half>(size, 1), *hb = filled<__half>(size, 2), *hc = filled<__half>(size, 0);
  const float two = 2, three = 3, zero = 0;
  const double dtwo = 2, dzero = 0;
  const __half htwo = __float2half(2), hzero = __float2half(0);
  for (cublasOperation_t op_a : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (cublasOperation_t op_b : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      for (int i = 0; i < size; ++i) c[i] = 4, dc[i] = NAN;
      CHECK(cublasSgemm(handle, op_a, op_b, m, n, k, &two, a, ld, b, ld, &three, c, ld));
      CHECK(cublasDgemm(handle, op_a, op_b, m, n, k, &dtwo, da, ld, db, ld, &dzero, dc, ld));
      CHECK(cublasHgemm(handle, op_a, op_b, m, n, k, &htwo, ha, ld, hb, ld, &hzero, hc, ld));
      cudaDeviceSynchronize();
      if (!is_product(a, op_a, b, op_b, 3, 4, c)) return std::printf("FAIL Sgemm %d %d\n", op_a, op_b), 1;
      if (!is_product(da, op_a, db, op_b, 0, 0, dc)) return std::printf("FAIL Dgemm %d %d\n", op_a, op_b), 1;
      if (!is_product(ha, op_a, hb, op_b, 0, 0, hc)) return std::printf("FAIL Hgemm %d %d\n", op_a, op_b), 1;
      if (c[m] != 4) return std::puts("FAIL wrote below the matrix"), 1;
    }
  CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, a, ld, size, b, ld, size,
                                  &zero, c, ld, size, 3));
  cudaDeviceSynchronize();
  for (int p = 0; p < 3; ++p)
    if (!is_product(a + p * size, CUBLAS_OP_N, b + p * size, CUBLAS_OP_T, 0, 0, c + p * size))
      return std::printf("FAIL product %d of a strided batch\n", p), 1;
  const float **as, **bs;
  float** cs;
  cudaMallocManaged(&as, 2 * sizeof(*as));
  cudaMallocManaged(&bs, 2 * sizeof(*bs));
  cudaMallocManaged(&cs, 2 * sizeof(*cs));
  for (int p = 0; p < 2; ++p) as[p] = a + (2 - p) * size, bs[p] = b + p * size, cs[p] = c + (p + 1) * size;
  CHECK(
      cublasSgemmBatched(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &two, as, ld, bs, ld, &zero, cs, ld, 2));
  cudaDeviceSynchronize();
  for (int p = 0; p < 2; ++p)
    if (!is_product(as[p], CUBLAS_OP_T, bs[p], CUBLAS_OP_N, 0, 0, static_cast<const float*>(cs[p])))
      return std::printf("FAIL product %d of a batch\n", p), 1;
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &two, ha, CUDA_R_16F, ld, hb, CUDA_R_16F, ld,
                     &zero, hc, CUDA_R_16F, ld, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  cudaDeviceSynchronize();
  if (!is_product(ha, CUBLAS_OP_N, hb, CUBLAS_OP_N, 0, 0, hc)) return std::puts("FAIL GemmEx"), 1;
  // The type of the sums as one of numbers, as before CUDA 11.
  for (int i = 0; i < size; ++i) hc[i] = static_cast<__half>(-99.0f);
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, ha, CUDA_R_16F, ld, hb, CUDA_R_16F, ld,
                     &zero, hc, CUDA_R_16F, ld, CUDA_R_32F, CUBLAS_GEMM_DFALT));
  cudaDeviceSynchronize();
  if (!is_product(ha, CUBLAS_OP_N, hb, CUBLAS_OP_T, 0, 0, hc)) return std::puts("FAIL old GemmEx"), 1;
  for (int i = 0; i < 3 * size; ++i) c[i] = NAN;
  CHECK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &two, a, CUDA_R_32F, ld, size,
                                   b, CUDA_R_32F, ld, size, &zero, c, CUDA_R_32F, ld, size, 3,
                                   CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  cudaDeviceSynchronize();
  for (int p = 0; p < 3; ++p)
    if (!is_product(a + p * size, CUBLAS_OP_T, b + p * size, CUBLAS_OP_N, 0, 0, c + p * size))
      return std::printf("FAIL product %d of GemmStridedBatchedEx\n", p), 1;
  CHECK(cublasDestroy(handle));
  std::puts("PASS");
}
