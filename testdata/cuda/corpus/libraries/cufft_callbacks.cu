// cuFFT: callbacks that change elements as a transform reads and writes them.
// needs: CPU executor
#include <cufftXt.h>

#include <cmath>
#include <cstdio>

#define CHECK(call) \
  if (cufftResult status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

struct Scale {
  float factor;
};

__device__ cufftComplex doubled(void* from, size_t offset, void* info, void*) {
  const cufftComplex value = static_cast<cufftComplex*>(from)[offset];
  const float factor = static_cast<Scale*>(info)->factor + static_cast<float>(offset % 2);
  return cufftComplex{value.x * factor, value.y * factor};
}
__device__ void conjugated(void* to, size_t offset, cufftComplex value, void* info, void*) {
  static_cast<cufftComplex*>(to)[offset] =
      cufftComplex{value.x, -value.y * static_cast<Scale*>(info)->factor};
}

__device__ cufftCallbackLoadC load_pointer = doubled;
__device__ cufftCallbackStoreC store_pointer = conjugated;

int main() {
  const int n = 20;
  cufftComplex *x, *y;
  Scale* scale;
  cudaMallocManaged(&x, n * sizeof(*x));
  cudaMallocManaged(&y, n * sizeof(*y));
  cudaMallocManaged(&scale, sizeof(*scale));
  for (int i = 0; i < n; ++i) x[i] = cufftComplex{static_cast<float>(i % 7), static_cast<float>(i % 3)};
  scale->factor = 3;
  cufftCallbackLoadC load;
  cufftCallbackStoreC store;
  cudaMemcpyFromSymbol(&load, load_pointer, sizeof(load));
  cudaMemcpyFromSymbol(&store, store_pointer, sizeof(store));
  cufftHandle plan;
  size_t bytes;
  long long length = n;
  void* info = scale;
  CHECK(cufftCreate(&plan));
  CHECK(cufftXtMakePlanMany(plan, 1, &length, nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_32F, 1, &bytes,
                            CUDA_C_32F));
  CHECK(cufftXtSetCallback(plan, reinterpret_cast<void**>(&load), CUFFT_CB_LD_COMPLEX, &info));
  CHECK(cufftXtSetCallback(plan, reinterpret_cast<void**>(&store), CUFFT_CB_ST_COMPLEX, &info));
  CHECK(cufftExecC2C(plan, x, y, CUFFT_FORWARD));
  cudaDeviceSynchronize();
  for (int k = 0; k < n; ++k) {
    double real = 0, imaginary = 0;
    for (int i = 0; i < n; ++i) {
      const double angle = -2 * 3.14159265358979323846 * i * k / n, factor = 3 + i % 2;
      real += factor * (x[i].x * std::cos(angle) - x[i].y * std::sin(angle));
      imaginary += factor * (x[i].x * std::sin(angle) + x[i].y * std::cos(angle));
    }
    if (std::fabs(y[k].x - real) > 1e-3 || std::fabs(y[k].y + 3 * imaginary) > 1e-3)
      return std::printf("FAIL [%d] %g %g, wanted %g %g\n", k, y[k].x, y[k].y, real, -3 * imaginary), 1;
  }
  if (cufftXtSetCallback(plan, reinterpret_cast<void**>(&load), CUFFT_CB_LD_REAL, &info) == CUFFT_SUCCESS)
    return std::puts("FAIL a callback for real numbers was taken"), 1;
  CHECK(cufftDestroy(plan));
  std::puts("PASS");
}
