// cudaMallocManaged: a linked structure built on the host, walked and changed on the device.
#include <cuda_runtime.h>

#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void walk(Node* first, int* sum) {
  for (Node* node = first; node; node = node->next) {
    *sum += node->value;
    node->value = -node->value;
  }
}

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  Node* nodes;
  cudaMallocManaged(&nodes, (50 * sizeof(Node)));
  *sum = 100;
  for (int i = 0; i < 50; ++i) nodes[i] = {i * i, i % 2 == 0 && i < 48 ? &nodes[i + 2] : nullptr};
  walk<<<1, 1>>>(nodes, sum);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  int want = 100;
  for (int i = 0; i < 50; i += 2) want += i * i;
  if (*sum != want) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, *sum, want), 1;
  for (int i = 0; i < 50; ++i)
    if (nodes[i].value != (i % 2 ? i * i : -i * i))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, nodes[i].value, (i % 2 ? i * i : -i * i)), 1;
  cudaFree(nodes);
  cudaFree(sum);
  std::puts("PASS");
}
