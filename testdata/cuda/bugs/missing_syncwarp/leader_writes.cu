// Lane 0 of each warp prepares a value for its warp; the lanes read it without waiting for the leader.
#include <cstdio>

__global__ void offsets(const int* in, int* out) {
  __shared__ int start[4];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  if (lane == 0) start[warp] = 0;
  __syncwarp();
  if (lane == 0) start[warp] = in[warp];  // finds: shared_race
  out[t] = start[warp] + lane;            // or: shared_race
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 4 * sizeof(int));
  offsets<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
