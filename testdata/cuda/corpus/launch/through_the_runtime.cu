// cudaLaunchKernel with an array of argument addresses, of a kernel chosen at run time.
#include <cuda_runtime.h>

#include <cstdio>

struct Step {
  int by;
  float factor;
};

__global__ void grow(float* data, Step step, short extra) {
  data[threadIdx.x] = data[threadIdx.x] * step.factor + step.by + extra;
}
__global__ void shrink(float* data, Step step, short extra) {
  data[threadIdx.x] = data[threadIdx.x] / step.factor - step.by - extra;
}

int main() {
  float values[64], got[64] = {};
  for (int i = 0; i < 64; ++i) values[i] = i;
  float* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  Step step = {10, 4};
  short extra = -3;
  void* arguments[] = {&data, &step, &extra};
  if (cudaLaunchKernel(reinterpret_cast<const void*>(grow), dim3(1), dim3(64), arguments, 0, nullptr) !=
      cudaSuccess)
    return std::puts("FAIL launch"), 1;
  const void* chosen = reinterpret_cast<const void*>(got[0] == 0 ? shrink : grow);
  step = {1, 2};
  extra = 0;
  if (cudaLaunchKernel(chosen, dim3(1), dim3(32), arguments, 0, nullptr) != cudaSuccess)
    return std::puts("FAIL second launch"), 1;
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    float want = i * 4 + 7;
    if (got[i] != (i < 32 ? want / 2 - 1 : want))
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], (i < 32 ? want / 2 - 1 : want)), 1;
  }
  std::puts("PASS");
}
