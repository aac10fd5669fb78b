// Every block continues with what the block before it left, and nothing makes it wait for that block.
#include <cstdio>

__global__ void add_up(const int* in, volatile int* carry, int* out) {
  const int before = blockIdx.x == 0 ? 0 : carry[blockIdx.x - 1];  // finds: global_race
  const int sum = before + in[blockIdx.x];
  carry[blockIdx.x] = sum;  // or: global_race
  out[blockIdx.x] = sum;
}

int main() {
  int *in, *carry, *out, host[16];
  for (int i = 0; i < 16; ++i) host[i] = i + 1;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&carry, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(carry, 0, sizeof(host));
  add_up<<<16, 1>>>(in, carry, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
