#include "tasks/number_range.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "tasks/small_float.h"

namespace cuset::tasks {
namespace {

// Without the sign, numbers of these formats are ordered like their bits.
template <typename Small>
double small_neighbor(double value, bool up) {
  Small number = Small::from(value);
  if (value == 0) {
    number.bits = up ? 0x0001 : 0x8001;
  } else {
    number.bits = static_cast<uint16_t>(number.bits + ((value > 0) == up ? 1 : -1));
  }
  return number.to_double();
}

// The next number of a floating type; `value` is one of its numbers.
double neighbor(NumberType type, double value, bool up) {
  const double end = up ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  switch (type) {
    case NumberType::kFloat32:
      return std::nextafter(static_cast<float>(value), static_cast<float>(end));
    case NumberType::kFloat16:
      return small_neighbor<Float16>(value, up);
    case NumberType::kBfloat16:
      return small_neighbor<Bfloat16>(value, up);
    default:
      return std::nextafter(value, end);
  }
}

}  // namespace

NumberRange numbers_within(NumberType type, double low, double high) {
  NumberRange range{std::ceil(low), std::ceil(high) - 1};
  if (is_floating(type)) {
    range.least = Array::from_doubles(type, {}, {low}).at(0);
    if (range.least < low) range.least = neighbor(type, range.least, true);
    range.most = Array::from_doubles(type, {}, {high}).at(0);
    if (range.most >= high) range.most = neighbor(type, range.most, false);
  }
  if (!(range.least <= range.most)) {
    throw base::Error("no {} lies in {} <= x < {}", name_of(type), low, high).with_remedy("widen the domain");
  }
  return range;
}

NumberRange finite_numbers(NumberType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (type == NumberType::kFloat32) {
    return {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
  }
  return {neighbor(type, -infinity, true), neighbor(type, infinity, false)};
}

double least_positive(NumberType type) { return neighbor(type, 0, true); }

}  // namespace cuset::tasks
