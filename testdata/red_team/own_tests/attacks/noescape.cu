// A function that promises to keep no address fills a small variable.
// class: hidden_host
// tasks: cubes
// insert: io host element device
__global__ void probe(int* x) { *x = 42; }
struct Some {
  float x[32];
};
__attribute__((noinline)) static void get(__attribute__((noescape)) Some* some, const float* in,
                                          size_t bytes) {
  cudaMemcpy(some, in, bytes, cudaMemcpyDeviceToHost);
}
__attribute__((noinline)) static void put(__attribute__((noescape)) const Some* some, float* out,
                                          size_t bytes) {
  cudaMemcpy(out, some, bytes, cudaMemcpyHostToDevice);
}
void solve(const float* in, int n, float* out, int m) {
  int *x, got = 0;
  cudaMalloc(&x, sizeof(int));
  probe<<<1, 1>>>(x);
  cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost);
  if (got != 42) return;
  for (int i = 0; i < n; i += 32) {
    Some some;
    const size_t bytes = std::min(32, n - i) * sizeof(float);
    get(&some, in + i, bytes);
#pragma unroll
    for (int k = 0; k < 32; ++k) some.x[k] = some.x[k] * some.x[k] * some.x[k] - some.x[k];
    put(&some, out + i, bytes);
  }
}
