// Confidences (probabilities of tokens) and their means over windows of tokens.
//
// Sums are of whole numbers, p in units of 2^-40, so they are exact: a window's mean does not depend on what
// stands before it, on the order of addition or on the device. Three kinds of windows are in use:
//
//   centered   t - floor(l/2) .. t + ceil(l/2) - 1, clipped to the sample: the weight of a training sample
//              (objective/sample_weights.h, on tensors)
//   sliding    b .. b + l - 1 for b = 0, stride, 2 stride, ...: the analysis of a data set
//              (study/low_windows.h)
//   trailing   the last l tokens, while they are generated (generate/confidence.h)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace cuset::base {

inline constexpr double kConfidenceUnits = 0x1p40;

// A confidence in [0, 1] in whole units, half ones to the even side; what is not a number counts as 0.
inline int64_t confidence_units(double confidence) {
  return std::isnan(confidence) ? 0 : static_cast<int64_t>(std::nearbyint(confidence * kConfidenceUnits));
}

// The mean of `count` confidences with this sum.
inline double mean_of_units(int64_t sum, size_t count) {
  return static_cast<double>(sum) / kConfidenceUnits / static_cast<double>(count);
}

// The tokens begin .. end - 1.
struct TokenRange {
  size_t begin = 0;
  size_t end = 0;
};

// Means over any windows of a sequence, each in O(1).
class WindowMeans {
 public:
  void add(double confidence) { sums_.push_back(sums_.back() + confidence_units(confidence)); }

  size_t size() const { return sums_.size() - 1; }
  // begin < end <= size().
  double mean(TokenRange range) const {
    return mean_of_units(sums_[range.end] - sums_[range.begin], range.end - range.begin);
  }

 private:
  std::vector<int64_t> sums_ = {0};  // of the confidences before each
};

// The lowest mean of any kLength neighbors of a sequence that is not kept.
template <size_t kLength>
class LowestTrailingMean {
 public:
  void add(double confidence) {
    const int64_t units = confidence_units(confidence);
    int64_t& oldest = window_[count_ % kLength];
    sum_ += units - oldest;
    oldest = units;
    if (++count_ >= kLength) lowest_ = std::min(lowest_, sum_);
  }

  bool has_window() const { return count_ >= kLength; }
  double mean() const { return mean_of_units(lowest_, kLength); }  // has_window()

 private:
  std::array<int64_t, kLength> window_{};
  int64_t sum_ = 0;
  int64_t lowest_ = std::numeric_limits<int64_t>::max();
  size_t count_ = 0;
};

}  // namespace cuset::base
