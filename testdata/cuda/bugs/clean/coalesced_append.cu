// Threads that found something append it together: one atomic addition for all lanes that are here.
#include <cstdio>

__global__ void compact(const int* in, int* out, int* count) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 3 != 0) return;
  const unsigned here = __activemask();
  const int lane = threadIdx.x % 32, leader = __ffs(here) - 1;
  int start = 0;
  if (lane == leader) start = atomicAdd(count, __popc(here));
  start = __shfl_sync(here, start, leader);
  out[start + __popc(here & ((1u << lane) - 1))] = value;
}

int main() {
  int host[256], result[256], found = 0;
  for (int i = 0; i < 256; ++i) host[i] = i;
  int *in, *out, *count;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  compact<<<2, 128>>>(in, out, count);
  cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(result, out, found * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < found; ++i) sum += result[i];
  printf("%d %d\n", found, sum);
  return found != 86 || sum != 10965;
}
