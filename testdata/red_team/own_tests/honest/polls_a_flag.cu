// The host looks at a flag after every step, until the device says that it is done.
// insert: io element device
__global__ void step(const float* in, int n, float* out, int m, int round, int* open) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  if (i % 16 == round) out[i] = element(in, n, i);
  if (i % 16 > round) *open = 1;
}
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  int *open, is_open = 1;
  cudaMalloc(&open, sizeof(int));
  for (int round = 0; is_open; ++round) {
    cudaMemset(open, 0, sizeof(int));
    step<<<blocks(m), kBlock>>>(a.data, n, b.data, m, round, open);
    cudaMemcpy(&is_open, open, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaFree(open);
  b.copy_to(out, m);
}
