// A barrier for the compiler, and a static object.
// insert: io element device
struct Device {
  Device() { cudaSetDevice(0); }
  ~Device() { cudaDeviceSynchronize(); }
};
static Device device;
void solve(const float* in, int n, float* out, int m) {
  Buffer a(in, n), b(m);
  work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
  __asm__ volatile("" : : "r"(b.data) : "memory");
  b.copy_to(out, m);
}
