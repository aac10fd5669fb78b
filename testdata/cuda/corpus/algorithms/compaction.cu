// Stream compaction over many blocks: flags, scan of counts on the device, stable scatter.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(const int* in, int* counts) {
  int n = __syncthreads_count(in[blockIdx.x * 128 + threadIdx.x] > 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = n;
}

__global__ void scan(int* counts, int blocks) {
  for (int b = 0, sum = 0; b < blocks; ++b) {
    int n = counts[b];
    counts[b] = sum;
    sum += n;
  }
}

__global__ void scatter(const int* in, const int* starts, int* out) {
  __shared__ int places[128];
  int t = threadIdx.x, value = in[blockIdx.x * 128 + t];
  places[t] = value > 0;
  for (int offset = 1; offset < 128; offset *= 2) {
    __syncthreads();
    int left = t >= offset ? places[t - offset] : 0;
    __syncthreads();
    places[t] += left;
  }
  if (value > 0) out[starts[blockIdx.x] + places[t] - 1] = value;
}

int main() {
  static int values[1280], got[1280];
  for (int i = 0; i < 1280; ++i) values[i] = i * 1103 % 211 - 100;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* starts;
  cudaMalloc(&starts, 10 * sizeof(int));
  int* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(values));
  count<<<10, 128>>>(in, starts);
  scan<<<1, 1>>>(starts, 10);
  scatter<<<10, 128>>>(in, starts, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  int kept = 0;
  for (int value : values) {
    if (value <= 0) continue;
    if (got[kept] != value) return std::printf("FAIL [%d] got %d, wanted %d\n", kept, got[kept], value), 1;
    ++kept;
  }
  if (got[kept] != 0) return std::printf("FAIL [%d] got %d, wanted %d\n", kept, got[kept], 0), 1;
  std::puts("PASS");
}
