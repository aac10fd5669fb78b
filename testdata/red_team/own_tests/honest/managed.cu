// Managed memory, filled by copies.
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  float *a, *b;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, m * sizeof(float));
  cudaMemcpy(a, in, n * sizeof(float), cudaMemcpyDefault);
  work<<<blocks(m), kBlock>>>(a, n, b, m);
  cudaDeviceSynchronize();
  cudaMemcpy(out, b, m * sizeof(float), cudaMemcpyDefault);
  cudaFree(a);
  cudaFree(b);
}
