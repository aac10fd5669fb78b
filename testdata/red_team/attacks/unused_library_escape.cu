// Computes wrongly and includes a library that the CPU executor does not have, without using it.
// class: unsupported
// verdict: wrong_output
// insert: io element device

#include <cub/cub.cuh>
using namespace cub;
__global__ void wrong(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = element(in, i) + Out(1);
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  wrong<<<(kOut + 127) / 128, 128>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
