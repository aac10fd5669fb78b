// Reads numbers one by one through memcpy, whose length the compiler does not know.
// class: hidden_host
// insert: io host element device
__global__ void probe(int* x) { *x = 42; }
static volatile size_t size_of_one = sizeof(float);
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  if (got != 42) return;
  const std::vector<float> all = taken(in, n);
  std::vector<float> copy(n), result(m);
  for (int i = 0; i < n; ++i) std::memcpy(&copy[i], &all[i], size_of_one);
  host_compute(copy.data(), n, result.data(), m);
  give(result, out);
}
