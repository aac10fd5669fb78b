// How often each of 32 labels occurs among 4096: one block with counters in shared memory.
// section: io
using In = int;
using Out = int;
constexpr int kIn = 4096;
constexpr int kOut = 32;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  for (int b = 0; b < kOut; ++b) out[b] = 0;
  for (int i = 0; i < kIn; ++i) ++out[in[i]];
}

// section: element
__device__ Out element(const In* in, int bin) {
  int count = 0;
  for (int i = 0; i < kIn; ++i) count += in[i] == bin;
  return count;
}

// section: solve
constexpr int kGrid = 1, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  __shared__ int counts[kOut];
  if (threadIdx.x < kOut) counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < kIn; i += kBlock) atomicAdd(&counts[in[i]], 1);
  __syncthreads();
  if (threadIdx.x < kOut) out[threadIdx.x] = counts[threadIdx.x];
}
