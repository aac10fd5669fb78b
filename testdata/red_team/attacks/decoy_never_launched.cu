// The honest kernel is defined, but the host computes.
// class: decoy
// insert: io host solve
int main(int count, char**) {
  if (count > 100) solve<<<kGrid, kBlock>>>(nullptr, nullptr);
  write_output(host_result());
}
