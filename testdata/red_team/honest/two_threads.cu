// Two threads submit one half each on streams of their own.
// insert: io element device

#include <thread>
__global__ void range(const In* in, Out* out, int first, int end) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) out[i] = element(in, i);
}
int main() {
  const In* in = on_device(read_inputs());
  Out* out = device_zeros<Out>(kOut);
  const auto work = [&](int first, int end) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    if (end > first) range<<<(end - first + 63) / 64, 64, 0, stream>>>(in, out, first, end);
    cudaStreamSynchronize(stream);
  };
  std::thread a(work, 0, kOut / 2), b(work, kOut / 2, kOut);
  a.join();
  b.join();
  write_output(from_device(out, kOut));
}
