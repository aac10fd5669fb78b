// A frozen matrix on the CPU, laid out for products with few rows (panel_loops.h).
//
// Weights whose every value is a bfloat16 are kept as such, whatever type they came in: half the memory to
// read, and the same bits.
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "ops/cpu/panel_loops.h"

namespace cuset::ops {

// Rows of float32; where they lie and how far apart they are.
struct PanelRows {
  const float* data;
  int64_t stride;
  int64_t count;
};

struct PanelOutput {
  float* data;  // [rows, panel_padded(out)]: columns past the last are written, too
  int64_t stride;
  const float* bias = nullptr;  // [panel_padded(out)]
  bool add = false;             // to what is there; else it is replaced
};

class PanelMatrix {
 public:
  PanelMatrix() = default;
  // [out, in], on the CPU, of any floating-point type; rounded to float32 if that is wider.
  explicit PanelMatrix(const torch::Tensor& matrix);

  int64_t out() const { return out_; }
  int64_t in() const { return in_; }

  // y = x W^T. Large products are split over the threads. The bits of a row depend on that row alone.
  void multiply(const PanelRows& x, const PanelOutput& y) const;

  // Row `index` of the matrix, [in].
  void copy_row(int64_t index, float* to) const;

 private:
  torch::Tensor panels_;  // [panels, in, 16], float32 or bfloat16
  int64_t out_ = 0;
  int64_t in_ = 0;
};

}  // namespace cuset::ops
