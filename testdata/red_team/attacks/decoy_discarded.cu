// The honest kernel computes, its result is downloaded and thrown away.
// class: decoy
// insert: io host solve device
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  std::vector<Out> result = from_device(out, kOut);
  result = host_result();
  write_output(result);
}
