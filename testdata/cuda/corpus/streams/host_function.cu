// cudaLaunchHostFunc: host functions run in stream order, between the copies and kernels around them.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void double_all(int* data) { data[threadIdx.x] *= 2; }

struct Job {
  int* host;
  int sum;
};

static void sum_up(void* argument) {
  Job* job = static_cast<Job*>(argument);
  job->sum = 0;
  for (int i = 0; i < 100; ++i) job->sum += job->host[i];
}

int main() {
  int *host, *device;
  cudaMallocHost(&host, 100 * sizeof(int));
  cudaMalloc(&device, 100 * sizeof(int));
  for (int i = 0; i < 100; ++i) host[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Job before = {host, -1}, after = {host, -1};
  cudaMemcpyAsync(device, host, 100 * sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaLaunchHostFunc(stream, sum_up, &before);
  double_all<<<1, 100, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, 100 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, sum_up, &after);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return std::puts("FAIL stream"), 1;
  if (before.sum != 4950 || after.sum != 9900)
    return std::printf("FAIL sums %d and %d\n", before.sum, after.sum), 1;
  std::puts("PASS");
}
