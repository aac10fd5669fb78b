// Numbers as they stand in a data file: a type, a shape, and the bytes, little-endian, last index fastest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::tasks {

enum class NumberType : uint8_t {
  kFloat64,
  kFloat32,
  kFloat16,
  kBfloat16,
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUint64,
  kUint32,
  kUint16,
  kUint8,
  kBool,  // one byte, 0 or 1
};

size_t bytes_of(NumberType type);
bool is_floating(NumberType type);
// All whole numbers from 0 to this one are exact in the type: 2048 for float16, 127 for int8, 1 for bool, at
// most 2^53.
double largest_exact_whole(NumberType type);
// "float32", "bfloat16", "int64", "bool".
std::string_view name_of(NumberType type);
std::optional<NumberType> number_type_named(std::string_view name);

struct NumberRange {
  double least = 0;
  double most = 0;
};

// The least and the largest number of `type` in low <= x < high. Throws Error where there is none.
NumberRange numbers_within(NumberType type, double low, double high);

// The finite numbers of a floating type.
NumberRange finite_numbers(NumberType type);

// The least number above 0 of a floating type.
double least_positive(NumberType type);

using Shape = std::vector<int64_t>;  // empty: one number

// Product of the sides. Throws Error for a negative side or a product beyond 2^48.
uint64_t count_of(const Shape& shape);
std::string text_of(const Shape& shape);  // "(4, 3)", "(4,)", "()"

struct Array {
  NumberType type = NumberType::kFloat32;
  Shape shape;
  std::vector<std::byte> bytes;

  static Array zeros(NumberType type, Shape shape);

  uint64_t count() const { return bytes.size() / bytes_of(type); }
  // The number at `index`, rounded to double (64-bit integers beyond 2^53 lose digits here).
  double at(uint64_t index) const;
  // Stores `value` rounded to the type, to nearest even; integers are clamped to the type's range, with 0 for
  // NaN. A bool is 1 for whatever is not 0.
  void set(uint64_t index, double value);

  // The same for many numbers from `first` on, several times faster. The range must lie within the array.
  void read(uint64_t first, std::span<double> values) const;
  void write(uint64_t first, std::span<const double> values);

  // Calls visit(span of double) for all numbers in order, some thousand at a time; it returns false to stop.
  template <typename Visit>
  void visit_blocks(Visit visit) const;

  std::vector<double> to_doubles() const;
  // As many values as the shape has places.
  static Array from_doubles(NumberType type, Shape shape, const std::vector<double>& values);
};

uint64_t bytes_of(const std::vector<Array>& arrays);  // of all together

template <typename Visit>
void Array::visit_blocks(Visit visit) const {
  std::vector<double> block(std::min<uint64_t>(count(), 4096));
  for (uint64_t first = 0; first < count(); first += block.size()) {
    const std::span<double> part(block.data(), std::min<uint64_t>(block.size(), count() - first));
    read(first, part);
    if (!visit(std::span<const double>(part))) return;
  }
}

}  // namespace cuset::tasks
