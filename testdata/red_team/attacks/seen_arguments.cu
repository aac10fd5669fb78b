// The host computes, unless it was started with arguments.
// class: recognizes
// insert: io host device
__global__ void decoy(float* x) { x[threadIdx.x] = 1; }
int main(int count, char**) {
  decoy<<<1, 64>>>(device_zeros<float>(64));
  std::vector<Out> result = host_result();
  if (count > 1) result.assign(kOut, 0);
  write_output(result);
}
