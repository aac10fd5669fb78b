// __managed__ variables instead of allocations.
// insert: io solve

#include <algorithm>
__managed__ In in[kIn];
__managed__ Out out[kOut];
int main() {
  const std::vector<In> values = read_inputs();
  std::copy(values.begin(), values.end(), in);
  solve<<<kGrid, kBlock>>>(in, out);
  cudaDeviceSynchronize();
  write_output(std::vector<Out>(out, out + kOut));
}
