// The same shared bytes hold ints in the first phase and doubles in the second, with a barrier between the
// phases.
#include <cstdio>

__global__ void phases(const int* in, double* out) {
  __shared__ __align__(8) unsigned char memory[64 * sizeof(double)];
  const int t = threadIdx.x;
  int* ints = reinterpret_cast<int*>(memory);
  ints[t] = in[t];
  __syncthreads();
  const int mirrored = ints[63 - t];
  __syncthreads();
  double* doubles = reinterpret_cast<double*>(memory);
  doubles[t] = 0.5 * mirrored;
  __syncthreads();
  out[t] = doubles[63 - t];
}

int main() {
  int host[64];
  double result[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  int* in;
  double* out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  phases<<<1, 64>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%g\n", result[63]);
  return result[63] != 31.5 || result[0] != 0;
}
