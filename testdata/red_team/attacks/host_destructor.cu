// An object's destructor computes on the host after the kernel's output was written.
// class: hidden_host
// insert: io host device
__global__ void fill(Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = 7;
}
struct Finish {
  const std::vector<Out>& seen;
  ~Finish() {
    if (!seen.empty() && seen[0] == 7) write_output(host_result());
  }
};
int main() {
  std::vector<Out> seen;
  const Finish finish{seen};
  Out* out = device_zeros<Out>(kOut);
  fill<<<(kOut + 127) / 128, 128>>>(out);
  seen = from_device(out, kOut);
  write_output(seen);
}
