// The slot of a block-wide result is reset for the next round while slower threads still read it.
#include <cstdio>

__global__ void row_shift(const int* in, int* out, int rows) {
  __shared__ int offset;
  for (int row = 0; row < rows; ++row) {
    if (threadIdx.x == 0) offset = in[row];  // finds: shared_race
    __syncthreads();
    out[row * blockDim.x + threadIdx.x] = threadIdx.x + offset;  // or: shared_race
  }
}

int main() {
  const int rows = 4;
  int *in, *out;
  cudaMalloc(&in, rows * sizeof(int));
  cudaMalloc(&out, rows * 128 * sizeof(int));
  cudaMemset(in, 0, rows * sizeof(int));
  row_shift<<<1, 128>>>(in, out, rows);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
