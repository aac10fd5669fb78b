// Host memory goes through pinned memory.
// tasks: blur total
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  float* pinned;
  cudaMallocHost(&pinned, n * sizeof(float));
  std::memcpy(pinned, in, n * sizeof(float));
  Buffer a(n), b(m);
  cudaMemcpyAsync(a.data, pinned, n * sizeof(float), cudaMemcpyHostToDevice);
  work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  cudaMemcpyAsync(pinned, b.data, m * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  std::copy(pinned, pinned + m, out);
  cudaFreeHost(pinned);
}
