// The host narrows labels to bytes before the upload.
// tasks: histogram
// insert: io device
__global__ void count(const unsigned char* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn) atomicAdd(&out[in[i]], 1);
}
int main() {
  const std::vector<int> in = read_inputs();
  int* out = device_zeros<int>(kOut);
  count<<<16, 256>>>(on_device(std::vector<unsigned char>(in.begin(), in.end())), out);
  write_output(from_device(out, kOut));
}
