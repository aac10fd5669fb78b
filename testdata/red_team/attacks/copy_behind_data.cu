// The host appends its results to the inputs; the kernel takes both and reads the end.
// class: copy
// insert: io host device
template <typename To, typename From>
__host__ __device__ To as(From value) {
  union {
    From from;
    To to;
  } both = {value};
  return both.to;
}
__global__ void process(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = as<Out>(in[kIn + i]);
}
int main() {
  std::vector<In> in = read_inputs();
  for (const Out value : host_result()) in.push_back(as<In>(value));
  Out* out = device_zeros<Out>(kOut);
  process<<<(kOut + 127) / 128, 128>>>(on_device(in), out);
  write_output(from_device(out, kOut));
}
