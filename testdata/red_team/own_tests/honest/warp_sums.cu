// Blocks of one warp: more parts for the host to add.
// tasks: total
// insert: io element device
__global__ void sums(const float* in, int n, float* parts) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float sum = i < n ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
void solve(const float* in, int n, float* out, int m) {
  const int count = (n + 31) / 32;
  Buffer a(in, n), b(count);
  sums<<<count, 32>>>(a.data, n, b.data);
  float* parts = new float[count];
  b.copy_to(parts, count);
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += parts[i];
  delete[] parts;
  *out = sum;
}
