#include "judge/trials/tolerance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "judge/trials/compare.h"

namespace cuset::judge {
namespace {

constexpr double kHonestDifference = 1e-5;  // of the largest element: float32 sums in another order
constexpr double kSameValue = 2e-7;         // the same: rounding of one operation
constexpr double kOfFewElements = 2e-4;     // of the largest: all that a mean or a loss may be off
constexpr uint64_t kFewElements = 16;       // so few may be nearly halves by chance

// An output that an answer without work might have; its elements are made when they are asked for, since most
// controls fail on the first.
struct ToleranceControl {
  std::string name;
  std::function<double(uint64_t)> value;
};

}  // namespace

bool has_few_elements(const tasks::Array& output) { return output.count() < kFewElements; }

double largest_finite(const tasks::Array& array) {
  double largest = 0;
  array.visit_blocks([&](std::span<const double> values) {
    for (const double value : values)
      if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    return true;
  });
  return largest;
}

namespace {

// As it stands in an array of that type.
double rounded_to(tasks::NumberType type, double value) {
  thread_local tasks::Array one;
  if (one.type != type || one.bytes.empty()) one = tasks::Array::zeros(type, {1});
  one.set(0, value);
  return one.at(0);
}

// The number with the least largest distance to all of them.
double middle(const tasks::Array& array) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  array.visit_blocks([&](std::span<const double> values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    return true;
  });
  return low <= high ? low / 2 + high / 2 : 0;
}

// The significand of half precision with any exponent: scaling is no way around it.
double with_half_digits(double value) {
  int exponent = 0;
  const double significand = std::frexp(value, &exponent);
  return std::isfinite(value) ? std::ldexp(std::nearbyint(std::ldexp(significand, 11)), exponent - 11)
                              : value;
}

ToleranceControl same_number(const std::string& name, double value) {
  return {name, [value](uint64_t) { return value; }};
}

ToleranceControl copy_of(const std::string& name, const tasks::Array& values, tasks::NumberType type) {
  return {name, [&values, type](uint64_t i) { return rounded_to(type, values.at(i)); }};
}

bool is_wider_than_half(tasks::NumberType type) {
  return type == tasks::NumberType::kFloat32 || type == tasks::NumberType::kFloat64;
}

// They point to `wanted` and to what `context` points to.
std::vector<ToleranceControl> controls_for(const tasks::TaskOutput& output, const tasks::Array& wanted,
                                           const ToleranceContext& context) {
  std::vector<ToleranceControl> controls;
  controls.push_back(same_number("zeros", 0));
  if (wanted.count() > 1)
    controls.push_back(same_number("constant", rounded_to(output.type, middle(wanted))));
  for (size_t i = 0; context.inputs != nullptr && i < context.inputs->size(); ++i) {
    const tasks::Array& input = (*context.inputs)[i];
    if (input.count() == wanted.count())
      controls.push_back(copy_of("copy of " + (*context.names)[i].name, input, output.type));
  }
  if (context.plain != nullptr && context.plain->count() == wanted.count())
    controls.push_back(copy_of("replay", *context.plain, output.type));
  if (!has_few_elements(wanted) && is_wider_than_half(output.type))
    controls.push_back({"half precision", [&wanted](uint64_t i) { return with_half_digits(wanted.at(i)); }});
  return controls;
}

// One unit in the last place of a normal number: so far off are honest outputs of that type.
double unit_of(tasks::NumberType type) {
  if (type == tasks::NumberType::kFloat16) return 0x1p-10;
  return type == tasks::NumberType::kBfloat16 ? 0x1p-7 : 0;
}

// The least distance of two numbers of that type.
double least_step_of(tasks::NumberType type) { return type == tasks::NumberType::kFloat16 ? 0x1p-24 : 0; }

// A copy is the right answer to a copying task.
void drop_right_answers(std::vector<ToleranceControl>& controls, const tasks::Array& wanted,
                        tasks::NumberType type, double largest) {
  std::erase_if(controls, [&](const ToleranceControl& control) {
    return all_right(control.value, wanted,
                     {std::max(kSameValue * largest, least_step_of(type) / 2), unit_of(type) / 2});
  });
}

// Halved again and again, down to `least`.
std::vector<tasks::Tolerance> narrowing_from(tasks::Tolerance tolerance, const tasks::Tolerance& least) {
  std::vector<tasks::Tolerance> narrowing{tolerance};
  while (tolerance.absolute > least.absolute || tolerance.relative > least.relative) {
    tolerance.absolute = std::max(tolerance.absolute / 2, least.absolute);
    tolerance.relative = std::max(tolerance.relative / 2, least.relative);
    narrowing.push_back(tolerance);
  }
  return narrowing;
}

}  // namespace

tasks::Tolerance fit_tolerance(const tasks::Tolerance& declared, const tasks::TaskOutput& output,
                               const tasks::Array& wanted, const ToleranceContext& context) {
  if (!tasks::is_floating(output.type)) return declared;
  tasks::Tolerance fitted = declared;
  const double largest = context.largest_here;
  if (context.plain != nullptr && context.largest_plain > 0 && largest > context.largest_plain)
    fitted.absolute *= largest / context.largest_plain;
  if (has_few_elements(wanted) && context.share_of_peak) {
    fitted = {std::min(fitted.absolute + fitted.relative * largest, *context.share_of_peak * largest), 0};
  } else if (has_few_elements(wanted) && context.largest > 0) {
    fitted.absolute = std::min(fitted.absolute, kOfFewElements * context.largest);
    fitted.relative = std::min(fitted.relative, kOfFewElements);
  }
  const double least_absolute = std::max(kHonestDifference * largest, least_step_of(output.type));
  const tasks::Tolerance least{std::min(fitted.absolute, least_absolute),
                               std::min(fitted.relative, std::max(kHonestDifference, unit_of(output.type)))};
  std::vector<ToleranceControl> controls = controls_for(output, wanted, context);
  drop_right_answers(controls, wanted, output.type, largest);
  const std::vector<tasks::Tolerance> narrowing = narrowing_from(fitted, least);
  size_t chosen = 0;
  for (const ToleranceControl& control : controls)
    chosen = std::min(first_refusing(control.value, wanted, narrowing, chosen), narrowing.size() - 1);
  return narrowing[chosen];
}

}  // namespace cuset::judge
