// Writes zeros, and then asks for what the CPU executor does not have.
// class: unsupported
// verdict: wrong_output no_kernel
// insert: io solve device
int main() {
  write_output(std::vector<Out>(kOut));
  cudaMipmappedArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocMipmappedArray(&array, &format, make_cudaExtent(16, 16, 0), 3);
}
