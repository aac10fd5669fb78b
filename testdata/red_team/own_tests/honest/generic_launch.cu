// cudaLaunchKernel with an array of arguments.
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  void* arguments[] = {&a.data, &n, &b.data, &m};
  cudaLaunchKernel(reinterpret_cast<const void*>(&work), dim3(blocks(m)), dim3(kBlock), arguments, 0,
                   nullptr);
  b.copy_to(out, m);
}
