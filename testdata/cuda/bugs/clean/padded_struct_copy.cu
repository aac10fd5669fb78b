// The members are written one by one, so the padding never gets a value; copying whole structs reads it and
// does no harm.
#include <cstdio>

struct Item {
  char tag;  // three bytes of padding follow
  int value;
  double weight;
};

__global__ void make(Item* items) {
  const int i = threadIdx.x;
  items[i].tag = 'a';
  items[i].value = i;
  items[i].weight = 0.5 * i;
}

__global__ void copy(const Item* from, Item* to) {
  const int i = threadIdx.x;
  to[i] = from[31 - i];
}

int main() {
  Item result[32];
  Item *items, *copies;
  cudaMalloc(&items, sizeof(result));
  cudaMalloc(&copies, sizeof(result));
  make<<<1, 32>>>(items);
  copy<<<1, 32>>>(items, copies);
  cudaMemcpy(result, copies, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%c %d %g\n", result[0].tag, result[0].value, result[0].weight);
  return result[0].tag != 'a' || result[0].value != 31 || result[31].weight != 0;
}
