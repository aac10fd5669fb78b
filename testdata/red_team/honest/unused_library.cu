// Includes libraries without using them.
// insert: io solve device

#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <cub/cub.cuh>
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
