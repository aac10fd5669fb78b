#include "check.h"
#include "solve.h"
void reference(const float* in, int n, float* out) {
  for (int i = 0; i < n; ++i) out[i] = (in[i > 0 ? i - 1 : 0] + in[i] + in[i + 1 < n ? i + 1 : n - 1]) / 3;
}
int main() {
  for (const int n : {1, 300, 1000, 5000}) {
    const std::vector<float> in = numbers(n);
    std::vector<float> wanted(n), got(n, -1);
    reference(in.data(), n, wanted.data());
    solve(in.data(), n, got.data(), n);
    check(got, wanted);
  }
}
