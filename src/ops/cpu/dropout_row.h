// The dropout mask of one row, drawn on the CPU: see ops/dropout.h for the formula.
#pragma once

#include <cstdint>

namespace cuset::ops {

constexpr int64_t kDropoutColumns = 8;  // that one Philox block serves

struct DropoutRow {
  uint32_t module = 0;
  uint64_t key = 0;
  uint64_t seed = 0;
  uint32_t threshold = 0;  // columns with less are dropped
  float kept = 1;          // the factor of what is not
};

// The 16 bits below which a column is dropped.
uint32_t dropout_threshold(double probability);

// Writes the factor, 0 or row.kept, of each of `width` columns.
void draw_dropout_factors(const DropoutRow& row, int64_t width, float* factors);

}  // namespace cuset::ops
