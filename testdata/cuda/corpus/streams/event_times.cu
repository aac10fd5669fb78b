// Events: elapsed time is not negative, and the whole is not shorter than a part; untimed events are refused.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void work(float* data, int rounds) {
  float value = data[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 0.999f + 1;
  data[threadIdx.x] = value;
}

int main() {
  cudaEvent_t start, middle, stop, untimed;
  cudaEventCreate(&start);
  cudaEventCreate(&middle);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  float* data;
  cudaMalloc(&data, 32 * sizeof(float));
  cudaMemset(data, 0, 32 * sizeof(float));
  cudaEventRecord(start);
  work<<<1, 32>>>(data, 10);
  cudaEventRecord(middle);
  work<<<1, 32>>>(data, 20000);
  cudaEventRecord(stop);
  cudaEventRecord(untimed);
  if (cudaEventSynchronize(stop) != cudaSuccess) return std::puts("FAIL synchronisation"), 1;
  float first = -1, second = -1, whole = -1;
  cudaEventElapsedTime(&first, start, middle);
  cudaEventElapsedTime(&second, middle, stop);
  cudaEventElapsedTime(&whole, start, stop);
  if (first < 0 || second <= 0 || whole < second)
    return std::printf("FAIL times %g %g %g\n", first, second, whole), 1;
  if (cudaEventElapsedTime(&first, start, untimed) == cudaSuccess)
    return std::puts("FAIL an event without timing was measured"), 1;
  std::puts("PASS");
}
