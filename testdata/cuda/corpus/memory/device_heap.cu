// malloc, free, new and delete in device code: a list per thread, freed by a later kernel.
#include <cuda_runtime.h>

#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void build(Node** heads) {
  Node* head = nullptr;
  for (unsigned i = 0; i <= threadIdx.x % 5; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = threadIdx.x * 10 + i;
    node->next = head;
    head = node;
  }
  heads[threadIdx.x] = head;
}

__global__ void consume(Node** heads, int* out) {
  int* sum = new int(1000);
  for (Node* node = heads[threadIdx.x]; node;) {
    *sum += node->value;
    Node* next = node->next;
    free(node);
    node = next;
  }
  out[threadIdx.x] = *sum;
  delete sum;
}

int main() {
  int got[64] = {};
  Node** heads;
  cudaMalloc(&heads, 64 * sizeof(Node*));
  int* out;
  cudaMalloc(&out, sizeof(got));
  build<<<1, 64>>>(heads);
  consume<<<1, 64>>>(heads, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) {
    int n = t % 5 + 1;
    if (got[t] != 1000 + n * t * 10 + n * (n - 1) / 2)
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], 1000 + n * t * 10 + n * (n - 1) / 2), 1;
  }
  std::puts("PASS");
}
