// A linked list in device memory, walked one step too far.
#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void value_after(Node* head, int steps, int* out) {
  Node* node = head;
  for (int i = 0; i < steps; ++i) node = node->next;
  *out = node->value;  // finds: out_of_bounds "null"
}

int main() {
  Node* nodes;
  int* out;
  cudaMalloc(&nodes, 3 * sizeof(Node));
  cudaMalloc(&out, sizeof(int));
  const Node host[3] = {{1, nodes + 1}, {2, nodes + 2}, {3, nullptr}};
  cudaMemcpy(nodes, host, sizeof(host), cudaMemcpyHostToDevice);
  value_after<<<1, 1>>>(nodes, 3, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
