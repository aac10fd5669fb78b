// The largest of 4096 whole numbers: one block, a tree in shared memory. Templates have it only where they name it.
// by_name: yes
// section: io
using In = int;
using Out = int;
constexpr int kIn = 4096;
constexpr int kOut = 1;
constexpr int kLowest = -2147483647;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  out[0] = in[0];
  for (int i = 1; i < kIn; ++i) out[0] = in[i] > out[0] ? in[i] : out[0];
}

// section: element
__device__ Out element(const In* in, int) {
  int best = in[0];
  for (int i = 1; i < kIn; ++i) best = in[i] > best ? in[i] : best;
  return best;
}

// section: solve
constexpr int kGrid = 1, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  __shared__ int part[kBlock];
  int best = in[threadIdx.x];
  for (int i = threadIdx.x; i < kIn; i += kBlock) best = max(best, in[i]);
  part[threadIdx.x] = best;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = max(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = part[0];
}
