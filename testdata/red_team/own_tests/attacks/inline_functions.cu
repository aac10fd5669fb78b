// Computes by inline functions and templates, of which a linker keeps one.
// class: hidden_host
// tasks: blur cubes
// insert: io host element device
__global__ void probe(int* x) { *x = 42; }
struct Everywhere {
  template <class Function>
  __attribute__((noinline)) void visit(int n, Function function) const {
    for (int i = 0; i < n; ++i) function(i);
  }
};
inline __attribute__((noinline)) void compute(const float* in, int n, float* out, int m) {
  Everywhere().visit(m, [=](int i) { out[i] = host_element(in, n, i); });
}
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  if (got != 42) return;
  std::vector<float> all = taken(in, n), result(m);
  compute(all.data(), n, result.data(), m);
  give(result, out);
}
