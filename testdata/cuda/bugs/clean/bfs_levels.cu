// Breadth-first search by levels: all threads that reach a vertex in a level store the same number.
#include <cstdio>

__global__ void step(const int* edges, int count, int* level, int depth, int* changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int from = edges[2 * i], to = edges[2 * i + 1];
  if (level[from] == depth && level[to] == -1) {
    level[to] = depth + 1;
    *changed = 1;
  }
}

int main() {
  const int vertices = 64, count = 2 * vertices;
  int host[2 * count], levels[vertices], *edges, *level, *changed;
  for (int v = 0; v < vertices; ++v) {
    host[4 * v] = v, host[4 * v + 1] = (v + 1) % vertices;
    host[4 * v + 2] = v, host[4 * v + 3] = (2 * v) % vertices;
    levels[v] = v == 1 ? 0 : -1;
  }
  cudaMalloc(&edges, sizeof(host));
  cudaMalloc(&level, sizeof(levels));
  cudaMalloc(&changed, sizeof(int));
  cudaMemcpy(edges, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(level, levels, sizeof(levels), cudaMemcpyHostToDevice);
  int again = 1;
  for (int depth = 0; again; ++depth) {
    cudaMemset(changed, 0, sizeof(int));
    step<<<4, 32>>>(edges, count, level, depth, changed);
    cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(levels, level, sizeof(levels), cudaMemcpyDeviceToHost);
  printf("%d %d\n", levels[2], levels[32]);
  return levels[2] != 1 || levels[32] != 5;
}
