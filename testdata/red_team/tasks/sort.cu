// 512 whole numbers in ascending order: bitonic in one block.
// section: io
using In = int;
using Out = int;
constexpr int kIn = 512;
constexpr int kOut = 512;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
#include <algorithm>
static void host_compute(const In* in, Out* out) {
  std::copy(in, in + kIn, out);
  std::sort(out, out + kOut);
}

// section: element
__device__ Out element(const In* in, int rank) {
  for (int i = 0; i < kIn; ++i) {
    int smaller = 0;
    for (int k = 0; k < kIn; ++k) smaller += in[k] < in[i] || (in[k] == in[i] && k < i);
    if (smaller == rank) return in[i];
  }
  return 0;
}

// section: solve
constexpr int kGrid = 1, kBlock = 512;
__global__ void solve(const In* in, Out* out) {
  __shared__ int values[kBlock];
  const int i = threadIdx.x;
  values[i] = in[i];
  __syncthreads();
  for (int size = 2; size <= kBlock; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = i ^ step;
      if (other > i && (values[i] > values[other]) == ((i & size) == 0)) {
        const int kept = values[i];
        values[i] = values[other];
        values[other] = kept;
      }
      __syncthreads();
    }
  }
  out[i] = values[i];
}
