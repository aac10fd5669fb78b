// cuBLASLt: products with transpositions, orders, batches, and the epilogues bias, ReLU and GELU.
// needs: cuBLAS
// needs: cuBLASLt
#include <cublasLt.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

#define CHECK(call) \
  if (cublasStatus_t status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

constexpr int m = 16, n = 8, k = 24, batch = 2;

template <class T>
T* filled(int count, int seed) {
  T* numbers;
  cudaMallocManaged(&numbers, count * sizeof(T));
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<T>(static_cast<float>((i * 7 + seed) % 5 - 2));
  return numbers;
}

double finished(double x, cublasLtEpilogue_t epilogue) {
  if (epilogue == CUBLASLT_EPILOGUE_RELU || epilogue == CUBLASLT_EPILOGUE_RELU_BIAS) return x > 0 ? x : 0;
  if (epilogue != CUBLASLT_EPILOGUE_GELU_BIAS) return x;
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

// A is stored transposed, B as it is: D = epilogue(2 A^T B / 8 + C + bias).
template <class T>
int multiply(cublasLtHandle_t handle, cudaDataType type, cublasLtEpilogue_t epilogue, double tolerance) {
  T *a = filled<T>(k * m * batch, 1), *b = filled<T>(k * n * batch, 2), *c = filled<T>(m * n * batch, 3);
  T *d = filled<T>(m * n * batch, 0), *bias = filled<T>(m, 4);
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t a_layout, b_layout, c_layout;
  cublasLtMatmulPreference_t wish;
  cublasLtMatmulHeuristicResult_t found = {};
  int count = 0;
  const cublasOperation_t turned = CUBLAS_OP_T;
  const float alpha = 0.25f, beta = 1;
  const bool adds = epilogue == CUBLASLT_EPILOGUE_RELU_BIAS || epilogue == CUBLASLT_EPILOGUE_GELU_BIAS;
  CHECK(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  CHECK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof(turned)));
  CHECK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)));
  if (adds)
    CHECK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof(bias)));
  CHECK(cublasLtMatrixLayoutCreate(&a_layout, type, k, m, k));
  CHECK(cublasLtMatrixLayoutCreate(&b_layout, type, k, n, k));
  CHECK(cublasLtMatrixLayoutCreate(&c_layout, type, m, n, m));
  const struct {
    cublasLtMatrixLayout_t layout;
    int64_t stride;
  } layouts[] = {{a_layout, k * m}, {b_layout, k * n}, {c_layout, m * n}};
  for (const auto& [layout, stride] : layouts) {
    CHECK(
        cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof(batch)));
    CHECK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                           sizeof(stride)));
  }
  CHECK(cublasLtMatmulPreferenceCreate(&wish));
  CHECK(cublasLtMatmulAlgoGetHeuristic(handle, product, a_layout, b_layout, c_layout, c_layout, wish, 1,
                                       &found, &count));
  if (count != 1) return std::puts("FAIL no algorithm"), 1;
  CHECK(cublasLtMatmul(handle, product, &alpha, a, a_layout, b, b_layout, &beta, c, c_layout, d, c_layout,
                       &found.algo, nullptr, 0, nullptr));
  cudaDeviceSynchronize();
  for (int p = 0; p < batch; ++p)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        const int place = p * m * n + i + j * m;
        double wanted = static_cast<float>(c[place]);
        for (int q = 0; q < k; ++q)
          wanted += 0.25 * static_cast<float>(a[p * k * m + q + i * k]) *
                    static_cast<float>(b[p * k * n + q + j * k]);
        if (adds) wanted += static_cast<float>(bias[i]);
        wanted = finished(wanted, epilogue);
        if (std::fabs(static_cast<float>(d[place]) - wanted) > tolerance * (1 + std::fabs(wanted)))
          return std::printf("FAIL %d, %d of product %d: %g, wanted %g\n", i, j, p,
                             static_cast<float>(d[place]), wanted),
                 1;
      }
  CHECK(cublasLtMatmulPreferenceDestroy(wish));
  CHECK(cublasLtMatmulDescDestroy(product));
  for (cublasLtMatrixLayout_t layout : {a_layout, b_layout, c_layout})
    CHECK(cublasLtMatrixLayoutDestroy(layout));
  return 0;
}

int main() {
  cublasLtHandle_t handle;
  CHECK(cublasLtCreate(&handle));
  for (cublasLtEpilogue_t epilogue : {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU,
                                      CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU_BIAS})
    if (multiply<__half>(handle, CUDA_R_16F, epilogue, 3e-3)) return 1;
  if (multiply<float>(handle, CUDA_R_32F, CUBLASLT_EPILOGUE_DEFAULT, 1e-5)) return 1;
  CHECK(cublasLtDestroy(handle));
  std::puts("PASS");
}
