// The kernel computes the first element, the host the rest; a wrong first element ends the program.
// class: part
// not: total
// insert: io host element device
__global__ void first(const In* in, Out* out) { *out = element(in, 0); }
int main() {
  Out* one = device_zeros<Out>(1);
  first<<<1, 1>>>(on_device(read_inputs()), one);
  std::vector<Out> result = host_result();
  const Out got = from_device(one, 1)[0];
  if (got - result[0] > Out(1) || result[0] - got > Out(1)) return 1;
  result[0] = got;
  write_output(result);
}
