// All numbers in ascending order; device memory.
// section: io
// section: host
static float host_element(const float* in, int n, int i) {
  std::vector<float> all(in, in + n);
  std::nth_element(all.begin(), all.begin() + i, all.end());
  return all[i];
}
static void host_standard(const float* in, int n, float* out, int) {
  std::copy(in, in + n, out);
  std::sort(out, out + n);
}
// section: element
__device__ float element(const float* in, int n, int i) {
  for (int j = 0; j < n; ++j) {
    int before = 0;
    for (int k = 0; k < n; ++k) before += in[k] < in[j] || (in[k] == in[j] && k < j);
    if (before == i) return in[j];
  }
  return 0;
}
