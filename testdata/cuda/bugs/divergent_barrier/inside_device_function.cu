// The barrier hides in a function that only some threads call.
#include <cstdio>

__device__ __noinline__ int publish(int value) {
  __syncthreads();  // finds: divergent_barrier
  return value + 1;
}

__global__ void work(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (value > 0) value = publish(value);
  __syncthreads();  // or: divergent_barrier; may: early_return
  out[t] = value;
}

int main() {
  int host[96];
  for (int i = 0; i < 96; ++i) host[i] = i - 48;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  work<<<1, 96>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
