// Upload, launch, download.
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  b.copy_to(out, m);
}
