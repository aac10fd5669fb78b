// One step of k-means: nearest centre for each point, sums by atomics in shared and global memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void assign(const int2* points, int count, const int2* centres, int* label, int* sums) {
  __shared__ int local[4][3];
  if (threadIdx.x < 12) local[threadIdx.x / 3][threadIdx.x % 3] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    int best = 0, nearest = 1 << 30;
    for (int c = 0; c < 4; ++c) {
      int dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y, distance = dx * dx + dy * dy;
      if (distance < nearest) nearest = distance, best = c;
    }
    label[i] = best;
    atomicAdd(&local[best][0], points[i].x);
    atomicAdd(&local[best][1], points[i].y);
    atomicAdd(&local[best][2], 1);
  }
  __syncthreads();
  if (threadIdx.x < 12) atomicAdd(&sums[threadIdx.x], local[threadIdx.x / 3][threadIdx.x % 3]);
}

int main() {
  const int count = 900;
  int2 points[count], centres[4] = {{10, 10}, {90, 20}, {20, 80}, {70, 70}};
  int label[count] = {}, sums[12] = {}, want[12] = {};
  for (int i = 0; i < count; ++i) points[i] = make_int2(i * 37 % 101, i * 71 % 103);
  int2* device_points;
  cudaMalloc(&device_points, sizeof(points));
  int2* device_centres;
  cudaMalloc(&device_centres, sizeof(centres));
  int* device_label;
  cudaMalloc(&device_label, sizeof(label));
  int* device_sums;
  cudaMalloc(&device_sums, sizeof(sums));
  cudaMemcpy(device_points, points, sizeof(points), cudaMemcpyHostToDevice);
  cudaMemcpy(device_centres, centres, sizeof(centres), cudaMemcpyHostToDevice);
  cudaMemset(device_sums, 0, sizeof(sums));
  assign<<<9, 100>>>(device_points, count, device_centres, device_label, device_sums);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(label, device_label, sizeof(label), cudaMemcpyDeviceToHost);
  cudaMemcpy(sums, device_sums, sizeof(sums), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    int best = 0, distance[4];
    for (int c = 0; c < 4; ++c) {
      distance[c] = (points[i].x - centres[c].x) * (points[i].x - centres[c].x) +
                    (points[i].y - centres[c].y) * (points[i].y - centres[c].y);
      if (distance[c] < distance[best]) best = c;
    }
    if (label[i] != best) return std::printf("FAIL [%d] got %d, wanted %d\n", i, label[i], best), 1;
    want[best * 3] += points[i].x, want[best * 3 + 1] += points[i].y, ++want[best * 3 + 2];
  }
  for (int i = 0; i < 12; ++i)
    if (sums[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, sums[i], want[i]), 1;
  std::puts("PASS");
}
