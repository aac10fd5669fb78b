// A window that slides along one axis, as in convolutions and pools:
//   input place = output place * stride - padding + window place * dilation
#pragma once

#include <array>
#include <cstdint>

#include "tasks/oracles/native_call.h"

namespace cuset::tasks {

struct Window {
  int64_t input = 0;  // places along the axis
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;

  // 0 where the window does not fit.
  int64_t outputs() const {
    const int64_t room = input + 2 * padding - dilation * (kernel - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
  }
  int64_t place(int64_t output, int64_t k) const { return output * stride - padding + k * dilation; }

  // The outputs first <= o < last whose window place `k` lies inside the input.
  int64_t first_inside(int64_t k) const {
    const int64_t missing = padding - k * dilation;
    return missing <= 0 ? 0 : (missing + stride - 1) / stride;
  }
  int64_t last_inside(int64_t k) const {
    const int64_t room = input - 1 + padding - k * dilation;
    return room < 0 ? 0 : std::min(outputs(), room / stride + 1);
  }
};

// One whole number for all of `axes` axes or a list with one for each; at most 2^20 each.
std::vector<int64_t> per_axis(const base::JsonCursor& field, size_t axes, int64_t usual, int64_t least);

}  // namespace cuset::tasks
