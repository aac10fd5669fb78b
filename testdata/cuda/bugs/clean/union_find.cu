// Union-find over a ring of vertices in global memory: hooks by atomicMin, reads of parents that may be old
// but never wrong.
#include <cstdio>

__device__ int root(volatile int* parent, int v) {
  while (parent[v] != v) v = parent[v];
  return v;
}

__global__ void unite(int* parent, const int2* edges, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a = root(parent, edges[i].x), b = root(parent, edges[i].y);
  while (a != b) {
    if (a < b) {
      const int swap = a;
      a = b;
      b = swap;
    }
    const int before = atomicCAS(&parent[a], a, b);
    if (before == a) return;
    a = root(parent, before);
    b = root(parent, b);
  }
}

int main() {
  const int vertices = 200;
  int parents[vertices];
  int2 host[vertices];
  for (int i = 0; i < vertices; ++i) {
    parents[i] = i;
    host[i] = make_int2(i, (i + 2) % vertices);
  }
  int* parent;
  int2* edges;
  cudaMalloc(&parent, sizeof(parents));
  cudaMalloc(&edges, sizeof(host));
  cudaMemcpy(parent, parents, sizeof(parents), cudaMemcpyHostToDevice);
  cudaMemcpy(edges, host, sizeof(host), cudaMemcpyHostToDevice);
  unite<<<4, 64>>>(parent, edges, vertices);
  cudaMemcpy(parents, parent, sizeof(parents), cudaMemcpyDeviceToHost);
  int roots = 0;
  for (int i = 0; i < vertices; ++i) roots += parents[i] == i;
  printf("%d\n", roots);
  return roots != 2;
}
