// Threads of one block exchange through global memory without a barrier.
#include <cstdio>

__global__ void shift(const int* in, int* buffer, int* out) {
  const int t = threadIdx.x;
  buffer[t] = in[t];                       // finds: global_race
  out[t] = buffer[(t + 40) % blockDim.x];  // or: global_race; may: uninitialised_read
}

int main() {
  int *in, *buffer, *out, host[96];
  for (int i = 0; i < 96; ++i) host[i] = i * i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&buffer, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  shift<<<1, 96>>>(in, buffer, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
