// The loops of panel_loops.h; see loop_set_body.h.
#pragma once

#include <cstdint>

#include "ops/cpu/loop_arithmetic.h"
#include "ops/cpu/panel_loops.h"

namespace cuset::ops {
namespace {

constexpr int kVectors = kPanel / kLanes;  // registers of a panel's row
constexpr int kMostSums = CUSET_LOOP_SUMS / kVectors;

template <int kRows, int kPanels>
struct Sums {
  Vector value[kRows][kPanels][kVectors];
};

template <int kRows, int kPanels>
CUSET_ALWAYS_INLINE void write(const PanelProduct& product, int64_t row, int64_t panel,
                               const Sums<kRows, kPanels>& sums) {
  for (int r = 0; r < kRows; ++r) {
    for (int p = 0; p < kPanels; ++p) {
      for (int v = 0; v < kVectors; ++v) {
        const int64_t column = (panel + p) * kPanel + v * kLanes;
        float* to = product.y + (row + r) * product.y_row + column;
        Vector value = sums.value[r][p][v], other;
        if (product.bias != nullptr) {
          load(product.bias + column, other);
          value += other;
        }
        if (product.add) {
          load(to, other);
          value += other;
        }
        store(to, value);
      }
    }
  }
}

// kRows rows of x with kPanels panels: all sums in registers.
template <typename T, int kRows, int kPanels>
CUSET_ALWAYS_INLINE void multiply_block(const PanelProduct& product, int64_t row, int64_t panel) {
  const T* weights[kPanels] = {};
  for (int p = 0; p < kPanels; ++p) {
    weights[p] = static_cast<const T*>(product.panels) + (panel + p) * product.panel_stride;
  }
  const float* x = product.x + row * product.x_row;
  const int64_t inner = product.inner, x_row = product.x_row;
  Sums<kRows, kPanels> sums = {};
  for (int64_t k = 0; k < inner; ++k) {
    Vector weight[kPanels][kVectors];
    for (int p = 0; p < kPanels; ++p) {
      for (int v = 0; v < kVectors; ++v) load(weights[p] + k * kPanel + v * kLanes, weight[p][v]);
    }
    for (int r = 0; r < kRows; ++r) {
      const float value = x[r * x_row + k];
      for (int p = 0; p < kPanels; ++p) {
        for (int v = 0; v < kVectors; ++v) {
          Vector& sum = sums.value[r][p][v];
          sum = multiply_add(weight[p][v], value, sum);
        }
      }
    }
  }
  write(product, row, panel, sums);
}

template <typename T, int kRows, int kPanels>
void multiply_rows(const PanelProduct& product, int64_t row) {
  int64_t panel = 0;
  for (; panel + kPanels <= product.count; panel += kPanels)
    multiply_block<T, kRows, kPanels>(product, row, panel);
  for (; panel < product.count; ++panel) multiply_block<T, kRows, 1>(product, row, panel);
}

// Few rows take several panels at a time, so that enough sums are under way.
template <typename T>
void multiply(const PanelProduct& product) {
  constexpr int kSixteen = kMostSums >= 16 ? 16 : kMostSums >= 4 ? 4 : 2;
  constexpr int kEight = kSixteen < 8 ? kSixteen : 8;
  constexpr int kFour = kSixteen < 4 ? kSixteen : 4;
  constexpr auto panels = [](int rows) { return kMostSums / rows > 8 ? 8 : kMostSums / rows; };
  int64_t row = 0;
  for (; row + kSixteen <= product.rows; row += kSixteen)
    multiply_rows<T, kSixteen, panels(kSixteen)>(product, row);
  for (; row + kEight <= product.rows; row += kEight) multiply_rows<T, kEight, panels(kEight)>(product, row);
  for (; row + kFour <= product.rows; row += kFour) multiply_rows<T, kFour, panels(kFour)>(product, row);
  for (; row + 2 <= product.rows; row += 2) multiply_rows<T, 2, panels(2)>(product, row);
  for (; row < product.rows; ++row) multiply_rows<T, 1, panels(1)>(product, row);
}

void product_loop(const PanelProduct& product) {
  product.is_bfloat16 ? multiply<uint16_t>(product) : multiply<float>(product);
}

constexpr int kParts = 4;  // of an interleaved sum

template <typename T, int kPanels>
CUSET_ALWAYS_INLINE void sum_block(const PanelProduct& product, int64_t row, int64_t panel) {
  const T* weights[kPanels];
  for (int p = 0; p < kPanels; ++p) {
    weights[p] = static_cast<const T*>(product.panels) + (panel + p) * product.panel_stride;
  }
  const float* x = product.x + row * product.x_row;
  Sums<kParts, kPanels> parts = {};
  const auto add = [&](int part, int64_t k) __attribute__((always_inline)) {
    for (int p = 0; p < kPanels; ++p) {
      for (int v = 0; v < kVectors; ++v) {
        Vector weight;
        load(weights[p] + k * kPanel + v * kLanes, weight);
        Vector& sum = parts.value[part][p][v];
        sum = multiply_add(weight, x[k], sum);
      }
    }
  };
  int64_t k = 0;
  for (; k + kParts <= product.inner; k += kParts) {
    for (int part = 0; part < kParts; ++part) add(part, k + part);
  }
  // Unrolled, so that the parts stay in registers.
  if (k < product.inner) add(0, k);
  if (k + 1 < product.inner) add(1, k + 1);
  if (k + 2 < product.inner) add(2, k + 2);
  for (int p = 0; p < kPanels; ++p) {
    for (int v = 0; v < kVectors; ++v) {
      const Vector sum =
          (parts.value[0][p][v] + parts.value[1][p][v]) + (parts.value[2][p][v] + parts.value[3][p][v]);
      store(product.y + row * product.y_row + (panel + p) * kPanel + v * kLanes, sum);
    }
  }
}

template <typename T>
void sum_weighted(const PanelProduct& product) {
  constexpr int kPanels = kVectors == 1 ? 4 : kVectors == 2 ? 2 : 1;
  for (int64_t row = 0; row < product.rows; ++row) {
    int64_t panel = 0;
    for (; panel + kPanels <= product.count; panel += kPanels) sum_block<T, kPanels>(product, row, panel);
    if constexpr (kPanels > 2) {
      for (; panel + 2 <= product.count; panel += 2) sum_block<T, 2>(product, row, panel);
    }
    for (; panel < product.count; ++panel) sum_block<T, 1>(product, row, panel);
  }
}

void weighted_sums_loop(const PanelProduct& product) {
  product.is_bfloat16 ? sum_weighted<uint16_t>(product) : sum_weighted<float>(product);
}

float exponentials_loop(float* scores, int64_t count, float scale) {
  const int64_t padded = panel_padded(count);
  for (int64_t i = count; i < padded; ++i) scores[i] = -__builtin_inff();
  const float largest = largest_of(scores, padded);
  SumLanes sums(0);
  sums.take(padded, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
    const Vector e = exp_of_negative(scale * (vector.read(scores + i) - largest));
    vector.write(scores + i, e);
    return lanes + e;
  });
  return 1.0f / sums.total();
}

void norm_loop(const float* x, const float* weight, int64_t width, float epsilon, float* y) {
  const int64_t padded = panel_padded(width);
  const float mean = sum_of_squares(x, padded) / static_cast<float>(width);
  const float r = 1.0f / __builtin_sqrtf(mean + epsilon);
  for_vectors(padded, [&](int64_t i, auto vector) __attribute__((always_inline)) {
    vector.write(y + i, vector.read(x + i) * r * vector.read(weight + i));
  });
}

}  // namespace
}  // namespace cuset::ops
