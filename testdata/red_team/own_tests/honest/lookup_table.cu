// A table of 64 weights, made on the host, in constant memory.
// insert: io element device
__constant__ float weights[64];
__global__ void weighted(const float* in, int n, float* out, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) out[i] = element(in, n, i) * weights[i % 64] / weights[i % 64];
}
void solve(const float* in, int n, float* out, int m) {
  float table[64];
  for (int i = 0; i < 64; ++i) table[i] = i % 2 ? 0.5f : 2.0f;
  cudaMemcpyToSymbol(weights, table, sizeof table);
  Buffer a(in, n), b(m);
  weighted<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  b.copy_to(out, m);
}
