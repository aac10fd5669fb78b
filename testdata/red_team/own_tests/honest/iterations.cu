// Two buffers that change places 400 times, then the work.
// insert: io element device
__global__ void shift(const float* from, float* to, int n, float by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[i] = from[i] + by;
}
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(n), c(m);
  float *now = a.data, *next = b.data;
  for (int step = 0; step < 400; ++step) {
    shift<<<2, kBlock>>>(now, next, n, step % 2 ? -1.0f : 1.0f);
    std::swap(now, next);
  }
  work<<<blocks(m), kBlock>>>(now, n, c.data, m);
  c.copy_to(out, m);
}
