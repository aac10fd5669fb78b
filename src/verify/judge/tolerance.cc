#include "verify/judge/tolerance.h"

#include <algorithm>
#include <cmath>

#include "verify/judge/compare.h"

namespace cuset {
namespace {

constexpr double kHonestDifference = 1e-5;  // of the largest element: float32 sums in another order

struct Control {
  std::string name;
  Array values;  // as the answer's output would be
};

double largest_finite(const Array& array) {
  double largest = 0;
  for (const double value : array.to_doubles())
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  return largest;
}

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
  if (is_wider_than_half(output.type) && largest_finite(wanted) < 60'000)
    controls.push_back({"half precision", through_half(output, wanted)});
  return controls;
}

// What an honest answer may well equal is no control.
void drop_right_answers(std::vector<Control>& controls, const Array& wanted, double floor) {
  std::erase_if(controls, [&](const Control& control) {
    const double slack = control.name == "half precision" ? 10 : 1;
    return all_right(control.values, wanted, {floor * slack, 0});
  });
}

}  // namespace

FittedTolerance fit_tolerance(const Tolerance& declared, const TaskOutput& output, const Array& wanted,
                              const ToleranceContext& context) {
  FittedTolerance fitted{.tolerance = declared, .vacuous = false, .control = ""};
  const double largest = largest_finite(wanted);
  const double floor = is_floating(output.type) ? kHonestDifference * largest : 0;
  std::vector<Control> controls = controls_for(output, wanted, context);
  drop_right_answers(controls, wanted, floor);
  if (!is_floating(output.type)) return fitted;
  if (context.plain != nullptr) {
    const double usual = largest_finite(*context.plain);
    if (usual > 0 && largest > usual) fitted.tolerance.absolute *= largest / usual;
  }
  for (const Control& control : controls) {
    while (all_right(control.values, wanted, fitted.tolerance)) {
      if (fitted.tolerance.absolute <= floor && fitted.tolerance.relative <= kHonestDifference) {
        fitted.vacuous = true;
        fitted.control = control.name;
        break;
      }
      fitted.tolerance.absolute =
          std::max(fitted.tolerance.absolute / 2, std::min(floor, fitted.tolerance.absolute));
      fitted.tolerance.relative =
          std::max(fitted.tolerance.relative / 2, std::min(kHonestDifference, fitted.tolerance.relative));
    }
  }
  return fitted;
}

}  // namespace cuset
