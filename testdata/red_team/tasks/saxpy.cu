// 2 x + y of 4096 numbers: one thread per element.
// section: io
using In = float;
using Out = float;
constexpr int kIn = 4096 + 4096;
constexpr int kOut = 4096;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), 4096);
  read_file("data/y.bin", in.data() + 4096, 4096);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  for (int i = 0; i < kOut; ++i) out[i] = 2.0f * in[i] + in[kOut + i];
}

// section: element
__device__ Out element(const In* in, int i) { return 2.0f * in[i] + in[kOut + i]; }

// section: solve
constexpr int kGrid = 16, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = 2.0f * in[i] + in[kOut + i];
}
