// The mean of each number and its neighbors; host memory.
// section: io
// section: host
static float host_element(const float* in, int n, int i) {
  return (in[std::max(i - 1, 0)] + in[i] + in[std::min(i + 1, n - 1)]) / 3;
}
static void host_standard(const float* in, int n, float* out, int) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::for_each(order.begin(), order.end(), [=](int i) { out[i] = host_element(in, n, i); });
}
// section: element
__device__ float element(const float* in, int n, int i) {
  return (in[max(i - 1, 0)] + in[i] + in[min(i + 1, n - 1)]) / 3;
}
