// cuBLAS of complex numbers: products plain, transposed and conjugated, batches, vectors; small integers are exact.
// needs: cuBLAS
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <complex>
#include <cstdio>

typedef std::complex<double> Number;

constexpr int kM = 5, kN = 4, kK = 6, kProducts = 2;

Number of(const cuComplex* matrix, int i, int j, int apart, cublasOperation_t operation) {
  const cuComplex x = operation == CUBLAS_OP_N ? matrix[i + j * apart] : matrix[j + i * apart];
  return operation == CUBLAS_OP_C ? Number(x.x, -x.y) : Number(x.x, x.y);
}

bool is_right(cublasHandle_t handle, cublasOperation_t left, cublasOperation_t right) {
  static cuComplex a[kProducts * 36], b[kProducts * 36], c[kProducts * 36], got[kProducts * 36];
  for (int i = 0; i < kProducts * 36; ++i) {
    a[i] = make_cuComplex(float(i * 5 % 7) - 3, float(i * 3 % 5) - 2);
    b[i] = make_cuComplex(float(i * 2 % 9) - 4, float(i * 7 % 11) - 5);
    c[i] = make_cuComplex(float(i % 3), float(i % 4));
  }
  cuComplex* memory[3];
  const cuComplex* host[3] = {a, b, c};
  for (int i = 0; i < 3; ++i) {
    cudaMalloc(&memory[i], sizeof a);
    cudaMemcpy(memory[i], host[i], sizeof a, cudaMemcpyHostToDevice);
  }
  const cuComplex alpha = make_cuComplex(2, -1), beta = make_cuComplex(0, 1);
  cublasCgemmStridedBatched(handle, left, right, kM, kN, kK, &alpha, memory[0], 6, 36, memory[1], 6, 36,
                            &beta, memory[2], 6, 36, kProducts);
  cudaMemcpy(got, memory[2], sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kProducts * kM * kN; ++i) {
    const int product = i / (kM * kN), row = i % kM, column = i / kM % kN,
              at = product * 36 + row + column * 6;
    Number want = Number(0, 1) * Number(c[at].x, c[at].y);
    for (int k = 0; k < kK; ++k)
      want +=
          Number(2, -1) * of(a + product * 36, row, k, 6, left) * of(b + product * 36, k, column, 6, right);
    if (Number(got[at].x, got[at].y) != want)
      return std::printf("FAIL %d %d [%d]: got %g %g\n", left, right, i, got[at].x, got[at].y), false;
  }
  return true;
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  for (int left = 0; left < 3; ++left)
    for (int right = 0; right < 3; ++right)
      if (!is_right(handle, cublasOperation_t(left), cublasOperation_t(right))) return 1;
  const cuDoubleComplex x[2] = {{3, 4}, {0, 12}}, y[2] = {{1, 2}, {-1, 1}};
  cuDoubleComplex *on_device[2], plain, conjugated;
  for (auto& memory : on_device) cudaMalloc(&memory, sizeof x);
  cudaMemcpy(on_device[0], x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(on_device[1], y, sizeof y, cudaMemcpyHostToDevice);
  double norm = 0, sum = 0;
  cublasZdotu(handle, 2, on_device[0], 1, on_device[1], 1, &plain);
  cublasZdotc(handle, 2, on_device[0], 1, on_device[1], 1, &conjugated);
  cublasDznrm2(handle, 2, on_device[0], 1, &norm);
  cublasDzasum(handle, 2, on_device[0], 1, &sum);
  if (plain.x != -17 || plain.y != -2 || conjugated.x != 23 || conjugated.y != 14 || norm != 13 || sum != 19)
    return std::printf("FAIL %g %g, %g %g, %g, %g\n", plain.x, plain.y, conjugated.x, conjugated.y, norm,
                       sum),
           1;
  cublasDestroy(handle);
  std::puts("PASS");
}
