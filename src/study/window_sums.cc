#include "study/window_sums.h"

#include <cmath>

namespace cuset {
namespace {

constexpr double kUnits = 0x1p40;

}  // namespace

void WindowSums::add(double confidence) { sums_.push_back(sums_.back() + std::llround(confidence * kUnits)); }

double WindowSums::mean(size_t begin, size_t end) const {
  return static_cast<double>(sums_[end] - sums_[begin]) / kUnits / static_cast<double>(end - begin);
}

}  // namespace cuset
