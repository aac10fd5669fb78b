#include "judge/trials/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace cuset::judge {
namespace {

constexpr size_t kShown = 8;
constexpr uint64_t kEachSide = 2;  // inputs shown before and after an index
constexpr uint64_t kOfPart = 4;    // inputs shown of a part

// Reads elements as double or, for whole numbers, as they are.
class Elements {
 public:
  explicit Elements(const tasks::Array& array) : array_(array) {}

  double real(uint64_t i) const {
    if (array_.type == tasks::NumberType::kFloat32) return load<float>(i);
    if (array_.type == tasks::NumberType::kFloat64) return load<double>(i);
    return array_.at(i);
  }

  // Two's complement, widened: equal whole numbers of different types have equal values here.
  int64_t whole(uint64_t i) const {
    switch (array_.type) {
      case tasks::NumberType::kInt64:
      case tasks::NumberType::kUint64:
        return load<int64_t>(i);
      default:
        return static_cast<int64_t>(array_.at(i));
    }
  }

  // Of a whole number.
  std::string digits(uint64_t i) const {
    return array_.type == tasks::NumberType::kUint64 ? std::to_string(load<uint64_t>(i))
                                                     : std::to_string(whole(i));
  }

 private:
  template <typename T>
  T load(uint64_t i) const {
    T value;
    std::memcpy(&value, array_.bytes.data() + i * sizeof(T), sizeof(T));
    return value;
  }

  const tasks::Array& array_;
};

struct ElementError {
  double absolute = 0;
  double relative = 0;
  double excess = 0;  // over the tolerance; positive: wrong
};

ElementError error_of(double got, double wanted, const tasks::Tolerance& tolerance) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return {};
  if (!std::isfinite(got) || !std::isfinite(wanted)) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  ElementError error;
  error.absolute = std::fabs(got - wanted);
  error.relative = wanted == 0 ? HUGE_VAL : error.absolute / std::fabs(wanted);
  error.excess = error.absolute - (tolerance.absolute + tolerance.relative * std::fabs(wanted));
  return error;
}

ElementError error_at(const Elements& got, const Elements& wanted, uint64_t i, bool exact,
                      const tasks::Tolerance& tolerance) {
  if (!exact) return error_of(got.real(i), wanted.real(i), tolerance);
  if (got.whole(i) == wanted.whole(i)) return {};
  ElementError error = error_of(got.real(i), wanted.real(i), {0, 0});
  error.excess = std::max(error.excess, 1.0);  // 64-bit numbers may be the same as doubles
  return error;
}

std::string shown_range(const std::string& name, const tasks::Array& array, uint64_t first, uint64_t last) {
  std::string text =
      first == last ? fmt::format("{}[{}] =", name, first) : fmt::format("{}[{}..{}] =", name, first, last);
  for (uint64_t i = first; i <= last; ++i) text += fmt::format(" {:.6g}", array.at(i));
  return text;
}

}  // namespace

OutputComparison compare(const std::string& name, const tasks::Array& got, const tasks::Array& wanted,
                         const tasks::Tolerance& tolerance) {
  CUSET_CHECK(got.count() == wanted.count(), "{} elements beside {}", got.count(), wanted.count());
  const bool exact = !tasks::is_floating(got.type);
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
    if (result.first.size() >= kShown) continue;
    Difference& difference = result.first.emplace_back();
    difference = {i, got_elements.real(i), wanted_elements.real(i), ""};
    if (!exact) continue;
    difference.got_digits = got_elements.digits(i);
    difference.wanted_digits = wanted_elements.digits(i);
  }
  return result;
}

bool all_right(const std::function<double(uint64_t)>& got, const tasks::Array& wanted,
               const tasks::Tolerance& tolerance) {
  const Elements wanted_elements(wanted);
  for (uint64_t i = 0; i < wanted.count(); ++i) {
    if (error_of(got(i), wanted_elements.real(i), tolerance).excess > 0) return false;
  }
  return true;
}

size_t first_refusing(const std::function<double(uint64_t)>& got, const tasks::Array& wanted,
                      std::span<const tasks::Tolerance> narrowing, size_t from) {
  const Elements wanted_elements(wanted);
  size_t first = narrowing.size();
  for (uint64_t i = 0; i < wanted.count() && first > from; ++i) {
    const double value = got(i), right = wanted_elements.real(i);
    while (first > from && error_of(value, right, narrowing[first - 1]).excess > 0) --first;
  }
  return first;
}

bool all_right(const tasks::Array& got, const tasks::Array& wanted, const tasks::Tolerance& tolerance) {
  if (got.count() != wanted.count()) return false;
  const bool exact = !tasks::is_floating(got.type);
  const Elements got_elements(got), wanted_elements(wanted);
  for (uint64_t i = 0; i < wanted.count(); ++i) {
    if (error_at(got_elements, wanted_elements, i, exact, tolerance).excess > 0) return false;
  }
  return true;
}

double fraction_right(const std::vector<OutputComparison>& outputs) {
  uint64_t elements = 0, wrong = 0;
  for (const OutputComparison& output : outputs) {
    elements += output.elements;
    wrong += output.wrong;
  }
  return elements == 0 ? 0 : 1 - static_cast<double>(wrong) / static_cast<double>(elements);
}

std::string explain_wrong(const Trial& trial) {
  for (const OutputComparison& output : trial.outputs) {
    if (output.wrong == 0) continue;
    const Difference& first = output.first[0];
    return fmt::format("{}[{}] is {}, wanted {}; {} of {} wrong on {} inputs", output.output, first.index,
                       first.got_text(), first.wanted_text(), output.wrong, output.elements,
                       tasks::name_of(trial.variation));
  }
  return "";
}

std::string inputs_near(const std::vector<tasks::TaskInput>& names, const std::vector<tasks::Array>& inputs,
                        uint64_t index, uint64_t count) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint64_t size = inputs[i].count();
    if (size == 0 || count == 0 || size % count != 0) continue;
    const uint64_t ratio = size / count;
    if (ratio == 1) {
      const uint64_t first = index < kEachSide ? 0 : index - kEachSide;
      parts.push_back(shown_range(names[i].name, inputs[i], first, std::min(index + kEachSide, size - 1)));
    } else {
      const uint64_t first = index * ratio;
      parts.push_back(shown_range(names[i].name, inputs[i], first, first + std::min(ratio, kOfPart) - 1));
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace cuset::judge
