// cudaLaunchKernel with an array of argument addresses, and a pointer to a kernel used with <<<>>>.
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
  void (*chosen)(float*, Step, short) = got[0] == 0 ? shrink : grow;
  chosen<<<1, 32>>>(data, Step{1, 2}, 0);
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
