// The work is a functor that the kernel gets by value.
// insert: io element device
struct Work {
  const In* in;
  Out* out;
  int count;
  __device__ void operator()(int i) const {
    if (i < count) out[i] = element(in, i);
  }
};
template <typename Function>
__global__ void for_each(Function function) {
  function(blockIdx.x * blockDim.x + threadIdx.x);
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  for_each<<<(kOut + 127) / 128, 128>>>(Work{on_device(read_inputs()), out, kOut});
  write_output(from_device(out, kOut));
}
