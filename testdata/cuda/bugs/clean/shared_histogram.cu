// A histogram by atomics in shared memory, cleared and read behind barriers.
#include <cstdio>

__global__ void histogram(const unsigned char* in, int n, int* out) {
  __shared__ int bins[16];
  for (int b = threadIdx.x; b < 16; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[in[i] % 16], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 16; b += blockDim.x) atomicAdd(&out[b], bins[b]);
}

int main() {
  const int n = 1000;
  unsigned char host[n];
  int result[16];
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i % 251);
  unsigned char* in;
  int* out;
  cudaMalloc(&in, n);
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(result));
  histogram<<<3, 96>>>(in, n, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  int expected[16] = {};
  for (unsigned char value : host) ++expected[value % 16];
  bool right = true;
  for (int b = 0; b < 16; ++b) right = right && result[b] == expected[b];
  printf("%d\n", result[0]);
  return !right;
}
