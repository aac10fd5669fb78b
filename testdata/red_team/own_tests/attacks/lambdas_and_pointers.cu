// Through std::function and a volatile pointer.
// class: hidden_host
// insert: io host element device
__global__ void probe(int* x) { *x = 42; }
using Compute = void (*)(const float*, int, float*, int);
static volatile Compute compute = host_compute;
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  const std::vector<float> all = taken(in, n);
  std::vector<float> result(m);
  const std::function<void()> run = [&] { compute(all.data(), n, result.data(), m); };
  if (got == 42) run();
  give(result, out);
}
