#include "check.h"
#include "solve.h"
void reference(const float* in, int n, float* out) {
  out[0] = 0;
  for (int i = 0; i < n; ++i) out[0] += in[i];
}
int main() {
  for (const int n : {1, 300, 1000, 5000}) {
    const std::vector<float> in = numbers(n);
    std::vector<float> wanted(1), got(1, -1);
    reference(in.data(), n, wanted.data());
    solve(in.data(), n, got.data(), 1);
    check(got, wanted);
  }
}
