// __syncwarp orders one warp; the neighbour of its last lane belongs to the next.
#include <cstdio>

__global__ void next(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = in[t];  // finds: shared_race
  __syncwarp();
  out[t] = values[(t + 1) % 128];  // or: shared_race; may: uninitialised_read
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  next<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
