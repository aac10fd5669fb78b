// Every number's cube, less the number; device memory.
// section: io
// section: host
static float host_element(const float* in, int, int i) { return in[i] * in[i] * in[i] - in[i]; }
static void host_standard(const float* in, int n, float* out, int) {
  std::transform(in, in + n, out, [](float x) { return x * x * x - x; });
}
// section: element
__device__ float element(const float* in, int, int i) { return in[i] * in[i] * in[i] - in[i]; }
