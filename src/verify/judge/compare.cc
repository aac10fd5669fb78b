#include "verify/judge/compare.h"

#include <cmath>
#include <cstring>

#include "base/error.h"

namespace cuset {
namespace {

constexpr size_t kShown = 8;

// Reads elements as double or, for whole numbers, as they are.
class Elements {
 public:
  explicit Elements(const Array& array) : array_(array) {}

  double real(uint64_t i) const {
    if (array_.type == NumberType::kFloat32) return load<float>(i);
    if (array_.type == NumberType::kFloat64) return load<double>(i);
    return array_.at(i);
  }

  // Two's complement, widened: equal whole numbers of different types have equal values here.
  int64_t whole(uint64_t i) const {
    switch (array_.type) {
      case NumberType::kInt64:
      case NumberType::kUint64:
        return load<int64_t>(i);
      default:
        return static_cast<int64_t>(array_.at(i));
    }
  }

 private:
  template <typename T>
  T load(uint64_t i) const {
    T value;
    std::memcpy(&value, array_.bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }

  const Array& array_;
};

struct ElementError {
  double absolute = 0;
  double relative = 0;
  double excess = 0;  // over the tolerance; positive: wrong
};

ElementError error_of(double got, double wanted, const Tolerance& tolerance) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return {};
  if (!std::isfinite(got) || !std::isfinite(wanted)) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  ElementError error;
  error.absolute = std::fabs(got - wanted);
  error.relative = wanted == 0 ? HUGE_VAL : error.absolute / std::fabs(wanted);
  error.excess = error.absolute - (tolerance.absolute + tolerance.relative * std::fabs(wanted));
  return error;
}

ElementError error_at(const Elements& got, const Elements& wanted, uint64_t i, bool exact,
                      const Tolerance& tolerance) {
  if (!exact) return error_of(got.real(i), wanted.real(i), tolerance);
  if (got.whole(i) == wanted.whole(i)) return {};
  ElementError error = error_of(got.real(i), wanted.real(i), {0, 0});
  error.excess = std::max(error.excess, 1.0);  // 64-bit numbers may be the same as doubles
  return error;
}

}  // namespace

OutputComparison compare(const std::string& name, const Array& got, const Array& wanted,
                         const Tolerance& tolerance) {
  CUSET_CHECK(got.count() == wanted.count(), "{} elements beside {}", got.count(), wanted.count());
  const bool exact = !is_floating(got.type);
  const Elements got_elements(got), wanted_elements(wanted);
  OutputComparison result;
  result.output = name;
  result.elements = got.count();
  result.tolerance = tolerance;
  double largest_excess = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    const ElementError error = error_at(got_elements, wanted_elements, i, exact, tolerance);
    result.largest_absolute = std::max(result.largest_absolute, error.absolute);
    if (error.relative != HUGE_VAL || error.excess > 0)
      result.largest_relative = std::max(result.largest_relative, error.relative);
    if (!(error.excess > 0)) continue;
    ++result.wrong;
    if (error.excess > largest_excess) {
      largest_excess = error.excess;
      result.worst = i;
    }
    if (result.first.size() < kShown)
      result.first.push_back({i, got_elements.real(i), wanted_elements.real(i), ""});
  }
  return result;
}

bool all_right(const std::function<double(uint64_t)>& got, const Array& wanted, const Tolerance& tolerance) {
  const Elements wanted_elements(wanted);
  for (uint64_t i = 0; i < wanted.count(); ++i) {
    if (error_of(got(i), wanted_elements.real(i), tolerance).excess > 0) return false;
  }
  return true;
}

bool all_right(const Array& got, const Array& wanted, const Tolerance& tolerance) {
  if (got.count() != wanted.count()) return false;
  const bool exact = !is_floating(got.type);
  const Elements got_elements(got), wanted_elements(wanted);
  for (uint64_t i = 0; i < wanted.count(); ++i) {
    if (error_at(got_elements, wanted_elements, i, exact, tolerance).excess > 0) return false;
  }
  return true;
}

}  // namespace cuset
