// Results go to the device as arguments of kernels, 16 at a time.
// class: copy
// insert: io host element device
struct Some {
  float x[16];
};
__global__ void put(Some some, float* to, int count) {
  if (threadIdx.x < count) to[threadIdx.x] = some.x[threadIdx.x];
}
void solve(const float* in, int n, float* out, int m) {
  const std::vector<float> all = taken(in, n);
  Buffer b(m);
  for (int i = 0; i < m; i += 16) {
    Some some{};
    const int count = std::min(16, m - i);
    for (int k = 0; k < count; ++k) some.x[k] = host_element(all.data(), n, i + k);
    put<<<1, 16>>>(some, b.data + i, count);
  }
  b.copy_to(out, m);
}
