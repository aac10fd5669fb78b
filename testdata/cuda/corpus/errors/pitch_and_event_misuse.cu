// A copy wider than its pitch, and the time between events that were never recorded.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void set(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  char host[256] = {};
  int* data;
  cudaMalloc(&data, 256);
  cudaEvent_t event;
  cudaEventCreate(&event);
  float time = 0;
  cudaError_t got[4] = {cudaMemcpy2D(data, 16, host, 16, 32, 4, cudaMemcpyHostToDevice),
                        cudaEventQuery(event), cudaStreamSynchronize(nullptr),
                        cudaEventElapsedTime(&time, event, event)};
  cudaError_t want[4] = {cudaErrorInvalidPitchValue, cudaSuccess, cudaSuccess,
                         cudaErrorInvalidResourceHandle};
  for (int i = 0; i < 4; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  cudaGetLastError();
  int values[64] = {};
  set<<<1, 64>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (values[i] != i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, values[i], i), 1;
  std::puts("PASS");
}
