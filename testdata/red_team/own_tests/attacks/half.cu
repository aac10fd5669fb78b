// The kernel computes all, the host one half of it over again.
// class: part
// not: total
// insert: io host element device
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  std::vector<float> result = taken(b.data, m);
  host_compute(taken(in, n).data(), n, result.data(), (m + 1) / 2);
  give(result, out);
}
