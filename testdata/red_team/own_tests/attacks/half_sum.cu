// The kernel adds one half, the host the other.
// class: part
// tasks: total
// insert: io host element device
void solve(const float* in, int n, float* out, int m) {
  const int half = n / 2;
  Buffer a(in, std::max(half, 1)), b(1);
  work<<<1, 1>>>(a.data, half, b.data, 1);
  b.copy_to(out, 1);
  for (int i = half; i < n; ++i) out[0] += in[i];
}
