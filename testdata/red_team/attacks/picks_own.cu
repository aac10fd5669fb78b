// The kernel computes, the host computes again, and writes its own if both agree.
// class: round_trip
// insert: io host solve device
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  const std::vector<Out> got = from_device(out, kOut), own = host_result();
  for (int i = 0; i < kOut; ++i)
    if (got[i] - own[i] > Out(1) || own[i] - got[i] > Out(1)) return 1;
  write_output(own);
}
