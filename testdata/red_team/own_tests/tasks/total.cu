// The sum of all numbers; host memory.
// section: io
// section: host
static float host_element(const float* in, int n, int) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  return sum;
}
static void host_standard(const float* in, int n, float* out, int) {
  *out = std::accumulate(in, in + n, 0.0f);
}
// section: element
__device__ float element(const float* in, int n, int) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  return sum;
}
