// A kernel template over types and sizes.
// insert: io element device
template <typename A, typename B, int count, int threads>
__global__ void each(const A* in, B* out) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads)
    out[i] = element(in, i);
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  each<In, Out, kOut, 96><<<7, 96>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
