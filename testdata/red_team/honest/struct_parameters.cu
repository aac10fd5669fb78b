// A structure by value with pointers and sizes.
// insert: io element device
struct Problem {
  const In* in;
  Out* out;
  struct {
    int first, count;
  } range;
};
__global__ void part_of(const Problem problem) {
  const int i = problem.range.first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < problem.range.first + problem.range.count) problem.out[i] = element(problem.in, i);
}
int main() {
  Problem problem = {on_device(read_inputs()), device_zeros<Out>(kOut), {0, 0}};
  const int half = (kOut + 1) / 2;
  for (int first = 0; first < kOut; first += half) {
    problem.range = {first, kOut - first < half ? kOut - first : half};
    part_of<<<(half + 127) / 128, 128>>>(problem);
  }
  write_output(from_device(problem.out, kOut));
}
