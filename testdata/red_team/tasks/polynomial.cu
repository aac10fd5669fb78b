// 3 x^2 + 7 x + 1 of 3000 whole numbers: the last block is not full.
// section: io
using In = int;
using Out = int;
constexpr int kIn = 3000;
constexpr int kOut = 3000;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  for (int i = 0; i < kOut; ++i) out[i] = (3 * in[i] + 7) * in[i] + 1;
}

// section: element
__device__ Out element(const In* in, int i) { return 3 * in[i] * in[i] + 7 * in[i] + 1; }

// section: solve
constexpr int kGrid = 12, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kOut; i += gridDim.x * blockDim.x) {
    const int x = in[i];
    out[i] = (3 * x + 7) * x + 1;
  }
}
