// Bitonic sort with one launch per step, driven by the host.
// tasks: sort
// insert: io device
__global__ void step(int* values, int size, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other > i && (values[i] > values[other]) == ((i & size) == 0)) {
    const int kept = values[i];
    values[i] = values[other];
    values[other] = kept;
  }
}
int main() {
  int* values = on_device(read_inputs());
  for (int size = 2; size <= kOut; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) step<<<2, 256>>>(values, size, distance);
  write_output(from_device(values, kOut));
}
