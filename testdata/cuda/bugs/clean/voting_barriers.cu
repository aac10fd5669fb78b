// Counting and voting barriers order shared memory as plain ones do.
#include <cstdio>

__global__ void vote(const int* in, int* out) {
  __shared__ int values[96];
  const int t = threadIdx.x;
  values[t] = in[t];
  const int positive = __syncthreads_count(in[t] > 0);
  const int next = values[(t + 1) % 96];
  const int any = __syncthreads_or(next > 40);
  values[t] = next;
  const int all = __syncthreads_and(next > -49);
  out[t] = values[(t + 95) % 96] + 1000 * positive + 100000 * any + 1000000 * all;
}

int main() {
  int host[96], result[96];
  for (int i = 0; i < 96; ++i) host[i] = i - 48;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  vote<<<1, 96>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d\n", result[50]);
  return result[50] != 1147002;
}
