// Breadth-first search of a graph by frontiers; the host launches until no new vertex was found.
#include <cuda_runtime.h>
#include <vector>

#include <cstdio>
#include <vector>

__global__ void advance(const int* neighbours, int* level, int depth, int vertices, int* found) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || atomicAdd(&level[v], 0) != depth) return;
  for (int k = 0; k < 3; ++k) {
    int to = neighbours[3 * v + k];
    if (atomicCAS(&level[to], -1, depth + 1) == -1) atomicAdd(found, 1);
  }
}

int main() {
  const int vertices = 1000;
  static int neighbours[3 * vertices], level[vertices], want[vertices];
  for (int v = 0; v < vertices; ++v) {
    neighbours[3 * v] = (v + 1) % vertices;
    neighbours[3 * v + 1] = v * 7 % 991;
    neighbours[3 * v + 2] = (v * v + 5) % 800;
    level[v] = want[v] = v == 0 ? 0 : -1;
  }
  int* device_neighbours;
  cudaMalloc(&device_neighbours, sizeof(neighbours));
  int* device_level;
  cudaMalloc(&device_level, sizeof(level));
  int* found;
  cudaMallocManaged(&found, sizeof(int));
  cudaMemcpy(device_neighbours, neighbours, sizeof(neighbours), cudaMemcpyHostToDevice);
  cudaMemcpy(device_level, level, sizeof(level), cudaMemcpyHostToDevice);
  *found = 1;
  for (int depth = 0; *found; ++depth) {
    *found = 0;
    advance<<<8, 128>>>(device_neighbours, device_level, depth, vertices, found);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  }
  cudaMemcpy(level, device_level, sizeof(level), cudaMemcpyDeviceToHost);
  std::vector<int> queue(1, 0);
  for (size_t i = 0; i < queue.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      int to = neighbours[3 * queue[i] + k];
      if (want[to] < 0) want[to] = want[queue[i]] + 1, queue.push_back(to);
    }
  for (int v = 0; v < vertices; ++v)
    if (level[v] != want[v]) return std::printf("FAIL [%d] got %d, wanted %d\n", v, level[v], want[v]), 1;
  std::puts("PASS");
}
