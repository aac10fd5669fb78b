// One launch for every eight outputs.
// insert: io element device
__global__ void some(const float* in, int n, float* out, int m, int first) {
  const int i = first + threadIdx.x;
  if (i < m) out[i] = element(in, n, i);
}
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  for (int first = 0; first < m; first += 8) {
    some<<<1, 8>>>(a.data, n, b.data, m, first);
    if (cudaGetLastError() != cudaSuccess) std::printf("launch %d failed\n", first);
  }
  b.copy_to(out, m);
}
