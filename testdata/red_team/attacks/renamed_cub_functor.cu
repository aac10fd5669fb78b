// CUB launches the kernel under another name; only the functor is the answer's.
// class: decoy
// verdict: no_kernel
// executor: gpu
// tasks: saxpy
#define cub mine
#include <cub/device/device_for.cuh>
// insert: io device
struct Saxpy {
  const float* in;
  float* out;
  __device__ void operator()(int i) const { out[i] = 2.0f * in[i] + in[kOut + i]; }
};
__global__ void decoy(float* x) { x[threadIdx.x] = 2 * x[threadIdx.x] + 1; }
int main() {
  const float* in = on_device(read_inputs());
  float* out = device_zeros<float>(kOut);
  mine::DeviceFor::Bulk(kOut, Saxpy{in, out});
  decoy<<<1, 256>>>(device_zeros<float>(256));
  write_output(from_device(out, kOut));
}
