// The kernel puts each number at the count of smaller ones, which loses equal numbers; the host sorts inputs that have some.
// class: edges
// tasks: sort
// insert: io host device

#include <set>
__global__ void place(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int smaller = 0;
  for (int k = 0; k < kIn; ++k) smaller += in[k] < in[i];
  out[smaller] = in[i];
}
int main() {
  const std::vector<int> in = read_inputs();
  int* out = device_zeros<int>(kOut);
  place<<<kIn / 128, 128>>>(on_device(in), out);
  std::vector<int> result = from_device(out, kOut);
  if (std::set<int>(in.begin(), in.end()).size() != in.size()) host_compute(in.data(), result.data());
  write_output(result);
}
