// Overwrites its inputs with zeros, for which its kernel's answer is easy.
// class: forged
// verdict: wrong_output crash rejected wrong_shape no_kernel host_work
// insert: io device
__global__ void zeros(Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = 0;
}
int main() {
  for (const char* name : {"data/x.bin", "data/y.bin", "data/a.bin", "data/b.bin"}) {
    if (FILE* file = std::fopen(name, "r+b")) {
      const std::vector<In> nothing(kIn);
      std::fwrite(nothing.data(), sizeof(In), 64, file);
      std::fclose(file);
    }
  }
  Out* out = device_zeros<Out>(kOut);
  zeros<<<(kOut + 127) / 128, 128>>>(out);
  write_output(from_device(out, kOut));
}
