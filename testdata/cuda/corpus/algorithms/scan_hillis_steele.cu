// Inclusive scan of a block by doubling steps between two buffers.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scan(const float* in, float* out, int count) {
  extern __shared__ float buffers[];
  int t = threadIdx.x, now = 0;
  buffers[t] = t < count ? in[t] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    int next = 1 - now;
    float value = buffers[now * blockDim.x + t];
    if (t >= offset) value += buffers[now * blockDim.x + t - offset];
    buffers[next * blockDim.x + t] = value;
    now = next;
    __syncthreads();
  }
  if (t < count) out[t] = buffers[now * blockDim.x + t];
}

int main() {
  const int count = 700;
  static float values[count], got[count];
  for (int i = 0; i < count; ++i) values[i] = i % 9 * 0.5f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  scan<<<1, 1024, 2 * 1024 * sizeof(float)>>>(in, out, count);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  float want = 0;
  for (int i = 0; i < count; ++i) {
    want += values[i];
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
