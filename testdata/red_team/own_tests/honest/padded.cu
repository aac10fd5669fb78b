// The output is padded to whole blocks; the host fills the few numbers behind the input.
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  const int whole = (n + 31) / 32 * 32;
  Buffer a(whole), b(blocks(m) * kBlock);
  std::vector<float> tail;
  for (int i = n; i < whole; ++i) tail.push_back(0);
  cudaMemcpy(a.data, in, n * sizeof(float), cudaMemcpyDefault);
  cudaMemcpy(a.data + n, tail.data(), tail.size() * sizeof(float), cudaMemcpyHostToDevice);
  work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  b.copy_to(out, m);
}
