// How certain a model was of what it wrote: the probabilities of its tokens, as their mean and as the lowest
// mean of any 64 neighbours (of all, where there are fewer).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace cuset {

inline constexpr size_t kConfidenceWindow = 64;

class Confidence {
 public:
  void add(double probability) {
    sum_ += probability;
    double& place = window_[count_ % kConfidenceWindow];
    window_sum_ += probability - (count_ >= kConfidenceWindow ? place : 0);
    place = probability;
    ++count_;
    if (count_ >= kConfidenceWindow) lowest_ = std::min(lowest_, window_sum_ / kConfidenceWindow);
  }

  // Both are 0 where there are no tokens.
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  double lowest_window() const { return count_ < kConfidenceWindow ? mean() : std::max(0.0, lowest_); }

 private:
  std::array<double, kConfidenceWindow> window_{};
  size_t count_ = 0;
  double sum_ = 0;
  double window_sum_ = 0;
  double lowest_ = 1;
};

}  // namespace cuset
