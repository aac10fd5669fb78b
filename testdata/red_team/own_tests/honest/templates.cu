// A kernel template that a table of functions chooses from.
// insert: io element device
template <int kItems>
__global__ void several(const float* in, int n, float* out, int m) {
  for (int k = 0; k < kItems; ++k) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * kItems + k;
    if (i < m) out[i] = element(in, n, i);
  }
}
template <int kItems>
static void launch(const float* in, int n, float* out, int m) {
  several<kItems><<<blocks((m + kItems - 1) / kItems), kBlock>>>(in, n, out, m);
}
void solve(const float* in, int n, float* out, int m) {
  static void (*const kLaunches[])(const float*, int, float*, int) = {launch<1>, launch<2>, launch<4>};
  Buffer a(in, n), b(m);
  kLaunches[n % 3](a.data, n, b.data, m);
  b.copy_to(out, m);
}
