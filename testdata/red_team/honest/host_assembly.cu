// A compiler barrier and a pause of the host in inline assembly.
// insert: io solve device
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) asm volatile("pause");
  asm volatile("" ::: "memory");
  write_output(from_device(out, kOut));
}
