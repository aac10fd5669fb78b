// Rows of 16 numbers in pitched memory.
// not: total
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  const int rows = n / 16;
  float* pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, 16 * sizeof(float), std::max(rows, 1));
  cudaMemcpy2D(pitched, pitch, in, 16 * sizeof(float), 16 * sizeof(float), rows, cudaMemcpyDefault);
  Buffer a(n), b(m);
  cudaMemcpy2D(a.data, 16 * sizeof(float), pitched, pitch, 16 * sizeof(float), rows,
               cudaMemcpyDeviceToDevice);
  cudaMemcpy(a.data + rows * 16, in + rows * 16, (n - rows * 16) * sizeof(float), cudaMemcpyDefault);
  work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  b.copy_to(out, m);
  cudaFree(pitched);
}
