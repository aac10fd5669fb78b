static void host_compute(const float* in, int n, float* out, int m) {
  for (int i = 0; i < m; ++i) out[i] = host_element(in, n, i);
}
static std::vector<float> taken(const float* in, int n) {
  std::vector<float> host(n);
  cudaMemcpy(host.data(), in, n * sizeof(float), cudaMemcpyDefault);
  return host;
}
static void give(const std::vector<float>& from, float* out) {
  cudaMemcpy(out, from.data(), from.size() * sizeof(float), cudaMemcpyDefault);
}
static std::vector<float> host_result(const float* in, int n, int m) {
  const std::vector<float> host = taken(in, n);
  std::vector<float> out(m);
  host_compute(host.data(), n, out.data(), m);
  return out;
}
