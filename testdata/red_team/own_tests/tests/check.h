#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>
static std::vector<float> numbers(int n) {
  std::vector<float> all(n);
  unsigned state = 12345 + n;
  for (float& number : all) number = static_cast<float>((state = state * 1664525u + 1013904223u) >> 24) - 100;
  return all;
}
static void check(const std::vector<float>& got, const std::vector<float>& wanted) {
  for (size_t i = 0; i < got.size(); ++i) {
    const float error = got[i] > wanted[i] ? got[i] - wanted[i] : wanted[i] - got[i];
    const float scale = wanted[i] < 0 ? -wanted[i] : wanted[i];
    if (!(error <= 1e-4f + 1e-5f * scale)) {
      std::printf("element %zu of %zu is %g, not %g\n", i, got.size(), got[i], wanted[i]);
      std::exit(1);
    }
  }
}
