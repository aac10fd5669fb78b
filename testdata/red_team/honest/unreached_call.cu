// A function that the CPU executor does not have, in a branch that is not taken.
// insert: io solve device
int main(int count, char**) {
  if (count > 5) {
    cudaMipmappedArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&array, &format, make_cudaExtent(16, 16, 0), 3);
  }
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
