// cuBLAS: axpy, scal, copy, swap, dot, nrm2, asum, amax, amin, gemv, ger; with steps, results on host and device.
// needs: cuBLAS
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>

#define CHECK(call) \
  if (cublasStatus_t status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

int main() {
  const int n = 300;
  float *x, *y, *a, *result;
  double* d;
  int* place;
  cudaMallocManaged(&x, 2 * n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&a, 7 * 5 * sizeof(float));
  cudaMallocManaged(&d, n * sizeof(double));
  cudaMallocManaged(&result, sizeof(float));
  cudaMallocManaged(&place, sizeof(int));
  for (int i = 0; i < 2 * n; ++i) x[i] = static_cast<float>(i % 13) - 6;
  for (int i = 0; i < n; ++i) y[i] = static_cast<float>(i % 7), d[i] = i == 123 ? -9.5 : 1.0 + i % 3;
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));

  float dot = 0, wanted_dot = 0;
  for (int i = 0; i < n; ++i) wanted_dot += x[2 * i] * y[n - 1 - i];
  CHECK(cublasSdot(handle, n, x, 2, y, -1, &dot));
  if (dot != wanted_dot) return std::printf("FAIL dot %g, wanted %g\n", dot, wanted_dot), 1;
  CHECK(cublasDotEx(handle, n, x, CUDA_R_32F, 2, y, CUDA_R_32F, -1, &dot, CUDA_R_32F, CUDA_R_32F));
  if (dot != wanted_dot) return std::printf("FAIL DotEx %g, wanted %g\n", dot, wanted_dot), 1;

  double norm = 0, sum = 0, squares = 0, magnitudes = 0;
  for (int i = 0; i < n; ++i) squares += d[i] * d[i], magnitudes += std::fabs(d[i]);
  CHECK(cublasDnrm2(handle, n, d, 1, &norm));
  CHECK(cublasDasum(handle, n, d, 1, &sum));
  if (std::fabs(norm - std::sqrt(squares)) > 1e-9 || sum != magnitudes)
    return std::printf("FAIL %g %g\n", norm, sum), 1;
  int largest = 0;
  CHECK(cublasIdamax(handle, n, d, 1, &largest));
  if (largest != 124) return std::printf("FAIL amax %d\n", largest), 1;

  const float two = 2;
  CHECK(cublasSaxpy(handle, n, &two, x, 2, y, 1));
  CHECK(cublasSscal(handle, n, &two, x, 2));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    const float old = static_cast<float>(2 * i % 13) - 6;
    if (x[2 * i] != 2 * old || y[i] != i % 7 + 2 * old) return std::printf("FAIL axpy, scal [%d]\n", i), 1;
  }

  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSasum(handle, n, x, 2, result));
  CHECK(cublasIsamin(handle, 3, x, 1, place));
  cudaDeviceSynchronize();
  float wanted_sum = 0;
  for (int i = 0; i < n; ++i) wanted_sum += std::fabs(x[2 * i]);
  // x begins with -12, -5, -8
  if (*result != wanted_sum || *place != 2)
    return std::printf("FAIL on the device: %g %d\n", *result, *place), 1;
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));

  // A is 5 x 4, its columns 7 apart.
  const float one = 1, zero = 0, half = 0.5f;
  for (int i = 0; i < 35; ++i) a[i] = static_cast<float>(i);
  for (int i = 0; i < 5; ++i) y[i] = NAN;
  CHECK(cublasSgemv(handle, CUBLAS_OP_N, 5, 4, &one, a, 7, x, 1, &zero, y, 1));
  cudaDeviceSynchronize();
  for (int i = 0; i < 5; ++i) {
    float wanted = 0;
    for (int j = 0; j < 4; ++j) wanted += a[i + 7 * j] * x[j];
    if (y[i] != wanted) return std::printf("FAIL gemv [%d] %g, wanted %g\n", i, y[i], wanted), 1;
  }
  CHECK(cublasSgemv(handle, CUBLAS_OP_T, 5, 4, &two, a, 7, x, 1, &half, y + 10, 1));
  CHECK(cublasSger(handle, 5, 4, &two, x, 1, x + 8, 1, a, 7));
  cudaDeviceSynchronize();
  for (int j = 0; j < 4; ++j) {
    const int k = 10 + j;
    float wanted = 0.5f * (k % 7 + 2 * (static_cast<float>(2 * k % 13) - 6));
    for (int i = 0; i < 5; ++i) wanted += 2 * static_cast<float>(i + 7 * j) * x[i];
    if (y[k] != wanted) return std::printf("FAIL transposed gemv [%d] %g, wanted %g\n", j, y[k], wanted), 1;
    for (int i = 0; i < 7; ++i)
      if (a[i + 7 * j] != i + 7 * j + (i < 5 ? 2 * x[i] * x[8 + j] : 0))
        return std::printf("FAIL ger %d %d\n", i, j), 1;
  }
  if (cublasSgemv(handle, CUBLAS_OP_N, 5, 4, &one, a, 4, x, 1, &zero, y, 1) != CUBLAS_STATUS_INVALID_VALUE)
    return std::puts("FAIL a leading dimension below the rows was taken"), 1;
  CHECK(cublasDestroy(handle));
  std::puts("PASS");
}
