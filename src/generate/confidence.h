// How certain a model was of what it wrote: the probabilities of its tokens, as their mean and as the lowest
// mean of any 64 neighbors (of all, where there are fewer).
#pragma once

#include "base/stats/window_mean.h"

namespace cuset::generate {

inline constexpr size_t kConfidenceWindow = 64;

class Confidence {
 public:
  void add(double probability) {
    sum_ += probability;
    ++count_;
    trailing_.add(probability);
  }

  // Both are 0 where there are no tokens.
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  double lowest_window() const { return trailing_.has_window() ? trailing_.mean() : mean(); }

 private:
  size_t count_ = 0;
  double sum_ = 0;
  base::LowestTrailingMean<kConfidenceWindow> trailing_;
};

}  // namespace cuset::generate
