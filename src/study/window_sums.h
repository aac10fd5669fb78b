// Means over windows of confidences, each in O(1). Sums are of whole numbers, p in units of 2^-40, so a
// window's mean does not depend on what stands before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuset {

class WindowSums {
 public:
  // Appends a confidence in [0, 1].
  void add(double confidence);

  size_t size() const { return sums_.size() - 1; }
  // Of the confidences begin .. end - 1; begin < end <= size().
  double mean(size_t begin, size_t end) const;

 private:
  std::vector<int64_t> sums_ = {0};  // of the confidences before each
};

}  // namespace cuset
