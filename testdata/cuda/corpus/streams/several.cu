// Several streams at work on parts of one array, with asynchronous copies from and to pinned memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void process(float* part, int count, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) part[i] = part[i] * 2 + by;
}

int main() {
  const int parts = 4, count = 1000;
  float *host, *device;
  cudaMallocHost(&host, parts * count * sizeof(float));
  cudaMalloc(&device, parts * count * sizeof(float));
  for (int i = 0; i < parts * count; ++i) host[i] = i;
  cudaStream_t streams[parts];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int p = 0; p < parts; ++p) {
    cudaMemcpyAsync(device + p * count, host + p * count, count * sizeof(float), cudaMemcpyHostToDevice,
                    streams[p]);
    process<<<8, 128, 0, streams[p]>>>(device + p * count, count, p);
    cudaMemcpyAsync(host + p * count, device + p * count, count * sizeof(float), cudaMemcpyDeviceToHost,
                    streams[p]);
  }
  for (cudaStream_t stream : streams)
    if (cudaStreamSynchronize(stream) != cudaSuccess) return std::puts("FAIL stream"), 1;
  for (int i = 0; i < parts * count; ++i) {
    float want = i * 2.0f + i / count;
    if (host[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, host[i], want), 1;
  }
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  std::puts("PASS");
}
