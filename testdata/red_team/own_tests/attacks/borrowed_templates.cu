// Declares the C++ library's algorithms as instantiated elsewhere: in the tests, which are not counted.
// class: hidden_host
// tasks: sorted
// insert: io host element device
extern template void std::sort<__gnu_cxx::__normal_iterator<float*, std::vector<float>>>(
    __gnu_cxx::__normal_iterator<float*, std::vector<float>>,
    __gnu_cxx::__normal_iterator<float*, std::vector<float>>);
__global__ void probe(int* x) { *x = 42; }
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  if (got != 42) return;
  std::vector<float> all = taken(in, n);
  std::sort(all.begin(), all.end());
  give(all, out);
}
