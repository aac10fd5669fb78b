// Another thread launches.
// insert: io element device
#include <future>
void solve(const float* in, int n, float* out, int m) {
  std::future<cudaError_t> done = std::async(std::launch::async, [=] {
    Buffer a(in, n), b(m);
    work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
    b.copy_to(out, m);
    return cudaGetLastError();
  });
  if (done.get() != cudaSuccess) std::printf("failed\n");
}
