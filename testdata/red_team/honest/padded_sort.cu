// The host pads to a power of two with the largest number and cuts the padding off again.
// tasks: sort
// insert: io device

#include <climits>
__global__ void step(int* values, int size, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other > i && (values[i] > values[other]) == ((i & size) == 0)) {
    const int kept = values[i];
    values[i] = values[other];
    values[other] = kept;
  }
}
int main() {
  std::vector<int> padded = read_inputs();
  padded.resize(1024, INT_MAX);
  int* values = on_device(padded);
  for (int size = 2; size <= 1024; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) step<<<4, 256>>>(values, size, distance);
  std::vector<int> out = from_device(values, 1024);
  out.resize(kOut);
  write_output(out);
}
