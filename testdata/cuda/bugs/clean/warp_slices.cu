// Each warp sorts in its own slice of shared memory; __syncwarp suffices, and one barrier joins the warps at
// the end.
#include <cstdio>

__global__ void odd_even_sort(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x, lane = t % 32;
  int* mine = values + t / 32 * 32;
  mine[lane] = in[t];
  __syncwarp();
  for (int round = 0; round < 32; ++round) {
    const int left = 2 * lane + round % 2;
    if (lane < 16 && left + 1 < 32 && mine[left] > mine[left + 1]) {
      const int swap = mine[left];
      mine[left] = mine[left + 1];
      mine[left + 1] = swap;
    }
    __syncwarp();
  }
  __syncthreads();
  out[t] = values[127 - t];
}

int main() {
  int host[128], result[128];
  for (int i = 0; i < 128; ++i) host[i] = (i * 45) % 32;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  odd_even_sort<<<1, 128>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < 128; ++i) right = right && result[i] == 31 - i % 32;
  printf("%d\n", right);
  return !right;
}
