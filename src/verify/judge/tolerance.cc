#include "verify/judge/tolerance.h"

#include <algorithm>
#include <cmath>

#include "verify/judge/compare.h"

namespace cuset {
namespace {

constexpr double kHonestDifference = 1e-5;  // of the largest element: float32 sums in another order
constexpr double kSameValue = 2e-7;         // the same: rounding of one operation
constexpr double kOfFewElements = 2e-4;     // of the largest: all that a mean or a loss may be off
constexpr uint64_t kFewElements = 16;       // so few may be nearly halves by chance

struct Control {
  std::string name;
  Array values;  // as the answer's output would be
};

}  // namespace

double largest_finite(const Array& array) {
  double largest = 0;
  for (const double value : array.to_doubles())
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  return largest;
}

namespace {

Array filled(const TaskOutput& output, uint64_t count, double value) {
  return Array::from_doubles(output.type, {static_cast<int64_t>(count)}, std::vector<double>(count, value));
}

Array as_output(const TaskOutput& output, const Array& values) {
  return Array::from_doubles(output.type, {static_cast<int64_t>(values.count())}, values.to_doubles());
}

// The number with the least largest distance to all of them.
double middle(const Array& array) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double value : array.to_doubles()) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return low <= high ? low / 2 + high / 2 : 0;
}

Array through_half(const TaskOutput& output, const Array& wanted) {
  const Array half = Array::from_doubles(NumberType::kFloat16, wanted.shape, wanted.to_doubles());
  return as_output(output, half);
}

bool is_wider_than_half(NumberType type) {
  return type == NumberType::kFloat32 || type == NumberType::kFloat64;
}

std::vector<Control> controls_for(const TaskOutput& output, const Array& wanted,
                                  const ToleranceContext& context) {
  std::vector<Control> controls;
  controls.push_back({"zeros", filled(output, wanted.count(), 0)});
  if (wanted.count() > 1) controls.push_back({"constant", filled(output, wanted.count(), middle(wanted))});
  for (size_t i = 0; context.inputs != nullptr && i < context.inputs->size(); ++i) {
    const Array& input = (*context.inputs)[i];
    if (input.count() == wanted.count())
      controls.push_back({"copy of " + (*context.names)[i].name, as_output(output, input)});
  }
  if (context.plain != nullptr && context.plain->count() == wanted.count())
    controls.push_back({"replay", as_output(output, *context.plain)});
  if (wanted.count() >= kFewElements && is_wider_than_half(output.type) && largest_finite(wanted) < 60'000)
    controls.push_back({"half precision", through_half(output, wanted)});
  return controls;
}

// A copy is the right answer to a copying task.
void drop_right_answers(std::vector<Control>& controls, const Array& wanted, double largest) {
  std::erase_if(controls, [&](const Control& control) {
    return all_right(control.values, wanted, {kSameValue * largest, 0});
  });
}

}  // namespace

Tolerance fit_tolerance(const Tolerance& declared, const TaskOutput& output, const Array& wanted,
                        const ToleranceContext& context) {
  if (!is_floating(output.type)) return declared;
  Tolerance fitted = declared;
  const double largest = largest_finite(wanted);
  if (context.plain != nullptr) {
    const double usual = largest_finite(*context.plain);
    if (usual > 0 && largest > usual) fitted.absolute *= largest / usual;
  }
  if (wanted.count() < kFewElements && context.largest > 0) {
    fitted.absolute = std::min(fitted.absolute, kOfFewElements * context.largest);
    fitted.relative = std::min(fitted.relative, kOfFewElements);
  }
  const Tolerance least{std::min(fitted.absolute, kHonestDifference * largest),
                        std::min(fitted.relative, kHonestDifference)};
  std::vector<Control> controls = controls_for(output, wanted, context);
  drop_right_answers(controls, wanted, largest);
  for (const Control& control : controls) {
    while (all_right(control.values, wanted, fitted)) {
      if (fitted.absolute <= least.absolute && fitted.relative <= least.relative) break;
      fitted.absolute = std::max(fitted.absolute / 2, least.absolute);
      fitted.relative = std::max(fitted.relative / 2, least.relative);
    }
  }
  return fitted;
}

}  // namespace cuset
