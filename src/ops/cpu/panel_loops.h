// Products with few rows on the CPU, float32, compiled for the vector instructions of several machines.
//
// A matrix [out, in] lies in panels of 16 outputs: entry (n, k) at panel n / 16, place k * 16 + n % 16, so
// that one row of a panel meets one value of x. Entries are float32, or bfloat16 that is widened on the way.
//
// Every sum has one order, whatever the number of rows and the machine's vector width: an output's products
// are added one by one in the order of k (weighted_sums: by k mod 4, and these four at the end), and each is
// rounded once with its sum. So the bits of a row do not depend on its neighbors; loop_sets.h has the rest
// of the promise. They know nothing of tensors and threads.
#pragma once

#include <cstdint>

namespace cuset::ops {

inline constexpr int64_t kPanel = 16;

constexpr int64_t panels_of(int64_t columns) { return (columns + kPanel - 1) / kPanel; }
constexpr int64_t panel_padded(int64_t columns) { return panels_of(columns) * kPanel; }

struct PanelProduct {
  const void* panels;  // of the first output
  bool is_bfloat16;    // else float32
  int64_t inner;
  int64_t panel_stride;  // entries from one panel to the next
  int64_t count;         // panels
  const float* x;        // [rows, inner]
  int64_t x_row;         // entries from one row to the next
  int64_t rows;
  float* y;  // [rows, 16 count]
  int64_t y_row;
  const float* bias;  // [16 count], or null
  bool add;           // to what y holds; else y is replaced
};

struct PanelLoops {
  // y = x W^T + bias, or y += x W^T + bias.
  void (*product)(const PanelProduct& product);

  // y = x W^T for few outputs and a long inner, in four interleaved parts; neither bias nor add.
  void (*weighted_sums)(const PanelProduct& product);

  // Turns scores[0 .. count) into exp(scale (score - largest)), and those up to the next multiple of 16 into
  // 0. Returns 1 / their sum.
  float (*exponentials)(float* scores, int64_t count, float scale);

  // y = x * r * weight, r = 1 / sqrt(mean(x^2) + epsilon), as ops/rms_norm.h. Rows are padded to 16 with
  // zeros.
  void (*norm)(const float* x, const float* weight, int64_t width, float epsilon, float* y);
};

// The widest that this machine runs.
const PanelLoops& panel_loops();

}  // namespace cuset::ops
