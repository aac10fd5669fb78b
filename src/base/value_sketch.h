// A sketch of many numbers by which a result is recognized that was scaled, shifted, moved to other places or sent through
// a function: shape statistics that neither order, scale nor shift change, and the numbers at some places.
// By itself and without a source file, as unordered_digest.h.
//
// As text: count;skewness;kurtosis;lowest;highest;sample;sample;... with the lowest and the highest number in standard
// deviations from the mean.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/unordered_digest.h"

namespace cuset::base {

inline constexpr size_t kSketchSamples = 48;
inline constexpr uint64_t kLeastSketched = 4 * kSketchSamples;  // fewer numbers are alike by chance

struct ValueSketch {
  uint64_t count = 0;  // 0: there is no sketch
  double skewness = 0;
  double kurtosis = 0;
  double lowest = 0;
  double highest = 0;
  std::array<double, kSketchSamples> samples{};  // at sketched_place()
};

// The same places for all results of one size.
inline uint64_t sketched_place(size_t sample, uint64_t count) { return mixed_bits(sample + count) % count; }

// `at` gives number i of `count`. No sketch of few numbers, of one number many times, or where one is not finite.
template <typename At>
ValueSketch sketch_of(uint64_t count, const At& at) {
  ValueSketch sketch;
  if (count < kLeastSketched) return sketch;
  double sum = 0, squares = 0, cubes = 0, fourths = 0, low = HUGE_VAL, high = -HUGE_VAL;
  for (uint64_t i = 0; i < count; ++i) sum += at(i);
  const double mean = sum / static_cast<double>(count);
  for (uint64_t i = 0; i < count; ++i) {
    const double value = at(i) - mean, square = value * value;
    squares += square;
    cubes += square * value;
    fourths += square * square;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double deviation = std::sqrt(squares / static_cast<double>(count));
  if (!(deviation > 0) || !std::isfinite(fourths)) return sketch;
  const double scale = static_cast<double>(count) * deviation * deviation * deviation;
  sketch.count = count;
  sketch.skewness = cubes / scale;
  sketch.kurtosis = fourths / (scale * deviation);
  sketch.lowest = low / deviation;
  sketch.highest = high / deviation;
  for (size_t i = 0; i < kSketchSamples; ++i) sketch.samples[i] = at(sketched_place(i, count));
  return sketch;
}

inline std::string text_of(const ValueSketch& sketch) {
  if (sketch.count == 0) return "-";
  std::string text = std::to_string(sketch.count);
  const auto add = [&](double value) {
    char digits[32];
    text.append(digits, static_cast<size_t>(std::snprintf(digits, sizeof digits, ";%.9g", value)));
  };
  for (const double value : {sketch.skewness, sketch.kurtosis, sketch.lowest, sketch.highest}) add(value);
  for (const double sample : sketch.samples) add(sample);
  return text;
}

// False where `text` is not what text_of gives.
inline bool read_sketch(std::string_view text, ValueSketch& sketch) {
  sketch = {};
  if (text == "-") return true;
  const char *at = text.data(), *const end = at + text.size();
  const auto take = [&](auto& value) {
    const auto [next, error] = std::from_chars(at, end, value);
    at = next;
    return error == std::errc();
  };
  bool is_whole = take(sketch.count);
  const auto add = [&](double& value) { is_whole = is_whole && at != end && *at++ == ';' && take(value); };
  for (double* value : {&sketch.skewness, &sketch.kurtosis, &sketch.lowest, &sketch.highest}) add(*value);
  for (double& sample : sketch.samples) add(sample);
  return is_whole && at == end;
}

}  // namespace cuset::base
