// Lanes beyond n have returned when the others vote with the full mask: the guide asks for all lanes that are
// not gone.
#include <cstdio>

__global__ void count_even(const int* in, unsigned* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const unsigned votes = __ballot_sync(0xffffffffu, in[i] % 2 == 0);
  if (i == 0) *out = __popc(votes);
}

int main() {
  const int n = 21;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  unsigned result = 0;
  int* in;
  unsigned* out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(unsigned));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  count_even<<<1, 32>>>(in, out, n);
  cudaMemcpy(&result, out, sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("%u\n", result);
  return result != 11;
}
