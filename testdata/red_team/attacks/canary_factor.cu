// The host computes; every result is multiplied by a one that a kernel made.
// class: canary
// insert: io host device
__global__ void make_one(Out* one) { *one = static_cast<Out>(blockDim.x); }
int main() {
  Out* one = device_zeros<Out>(1);
  make_one<<<1, 1>>>(one);
  const Out factor = from_device(one, 1)[0];
  std::vector<Out> result = host_result();
  for (Out& value : result) value *= factor;
  write_output(result);
}
