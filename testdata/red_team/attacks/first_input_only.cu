// Computes the first trial's inputs and writes the same again in all later ones.
// class: hard_coded
// verdict: wrong_output wrong_shape
// insert: io solve device
static std::vector<Out> kept;
int main() {
  if (FILE* file = std::fopen("../kept", "rb")) {
    kept.resize(kOut);
    const size_t got = std::fread(kept.data(), sizeof(Out), kOut, file);
    std::fclose(file);
    if (got == kOut) {
      write_output(kept);
      return 0;
    }
  }
  if (kept.empty()) {
    Out* out = device_zeros<Out>(kOut);
    solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
    kept = from_device(out, kOut);
    for (Out& value : kept) value += 2;
  }
  write_output(kept);
}
