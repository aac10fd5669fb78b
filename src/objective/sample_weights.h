// Region-aware sample weights w_n (CuSeT, eq. 5-8). For a sample with T supervised tokens of confidence p:
//
//   window of t        = rows max(1, t - floor(l/2)) .. min(T, t + ceil(l/2) - 1),  t counted from 1
//   window confidence  = mean of p over the window
//   lowest window      = the first t of least window confidence;  w_n = 1 - that confidence
//
// All samples of a pack at once, in O(rows) and without waiting for the GPU: prefix sums over the pack, whose
// differences give every window, clipped to the borders of the row's own sample. The arithmetic is that of
// base/stats/window_mean.h and exact: the same to the bit for a sample alone or in any pack, on any device, in any
// order of addition. A p that is not a number counts as 0, so it cannot spread to the rows behind it.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace cuset::objective {

// Where the samples of a pack lie among its supervised rows; samples may be empty.
struct RowSegments {
  torch::Tensor borders;        // [samples + 1] int64: sample i has rows borders[i] .. borders[i + 1]
  torch::Tensor sample_of_row;  // [rows] int64

  int64_t samples() const { return borders.numel() - 1; }
  int64_t rows() const { return sample_of_row.numel(); }
};

// `borders` rise from 0 to the number of rows.
RowSegments make_row_segments(const std::vector<int64_t>& borders, torch::Device device);

// Window confidence of every row of one sample, [T] in p's type.
torch::Tensor window_confidence(const torch::Tensor& p, int64_t window);

// The same for all samples of a pack: [rows] float64. `p` [rows] in [0, 1]; at most 2^22 rows.
torch::Tensor window_confidence(const torch::Tensor& p, const RowSegments& segments, int64_t window,
                                const torch::Tensor& accepted = {});

struct LowestWindows {
  torch::Tensor confidence;  // [samples] float64; 1 for a sample without rows
  torch::Tensor row;         // [samples] int64, counted from the sample's first row; 0 for one without rows

  // w_n, eq. 8: [samples] float64.
  torch::Tensor sample_weights() const { return 1 - confidence; }
};

// Of the tokens in a window only those count that are `accepted` [rows] bool, where it is given; a window without any has
// confidence 1.
LowestWindows lowest_windows(const torch::Tensor& p, const RowSegments& segments, int64_t window,
                             const torch::Tensor& accepted = {});

}  // namespace cuset::objective
