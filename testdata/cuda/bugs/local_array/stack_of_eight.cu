// A hand-made stack of eight entries in local memory, pushed nine times.
#include <cstdio>

__global__ void depth(const int* tree, int n, int* out) {
  int stack[8];
  int top = 0;
  for (int i = 0; i < n; ++i) {
    const int node = tree[i];
    if (node >= 0) stack[top++] = node;  // finds: out_of_bounds
  }
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += stack[i];
  out[threadIdx.x] = sum;
}

int main() {
  int *tree, *out;
  cudaMalloc(&tree, 9 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(tree, 0, 9 * sizeof(int));
  depth<<<1, 4>>>(tree, 9, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
