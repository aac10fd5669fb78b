// Arguments are checked, failures thrown and printed.
// insert: io element device
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t code = (call);                                           \
    if (code != cudaSuccess) {                                                 \
      std::ostringstream text;                                                 \
      text << __FILE__ << ":" << __LINE__ << ": " << cudaGetErrorString(code); \
      throw std::runtime_error(text.str());                                    \
    }                                                                          \
  } while (false)
void solve(const float* in, int n, float* out, int m) {
  if (in == nullptr || out == nullptr) throw std::invalid_argument("null pointer");
  if (n <= 0 || m <= 0 || m > n)
    throw std::out_of_range("sizes " + std::to_string(n) + ", " + std::to_string(m));
  try {
    Buffer a(in, n), b(m);
    work<<<blocks(m), kBlock>>>(a.data, n, b.data, m);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    b.copy_to(out, m);
    std::cout << "solved " << n << " numbers in " << blocks(m) << " blocks" << std::endl;
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    throw;
  }
}
