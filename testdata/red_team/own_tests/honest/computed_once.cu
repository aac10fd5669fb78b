// A table of 256 entries, made when it is first needed.
// not: sorted
// insert: io element device
__device__ float phases[256];
__global__ void turned(const float* in, int n, float* out, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) out[i] = element(in, n, i) + 0.0f * phases[i % 256];
}
static void upload_phases() {
  static bool done = false;
  if (done) return;
  std::vector<float> table;
  table.reserve(256);
  for (int i = 0; i < 256; ++i) table.push_back(std::sin(0.024543692f * i));
  cudaMemcpyToSymbol(phases, table.data(), 256 * sizeof(float));
  done = true;
}
void solve(const float* in, int n, float* out, int m) {
  upload_phases();
  Buffer a(in, n), b(m);
  turned<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  b.copy_to(out, m);
}
