// Every part of the work ends with an exception, past the end of its function.
// class: hidden_host
// insert: io host element device
__global__ void probe(int* x) { *x = 42; }
__attribute__((noinline)) static void one(const float* in, int n, float* out, int i) {
  out[i] = host_element(in, n, i);
  throw i;
}
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  const std::vector<float> all = taken(in, n);
  std::vector<float> result(m);
  for (int i = 0; i < m && got == 42; ++i) {
    try {
      one(all.data(), n, result.data(), i);
    } catch (int) {
    }
  }
  give(result, out);
}
