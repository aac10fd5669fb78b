#include "gym/solutions/elementwise.h"

#include <fmt/format.h>

#include <cmath>

#include "gym/solutions/formula.h"
#include "gym/solutions/map.h"

namespace cuset::gym {

tasks::Tolerance usual_tolerance(tasks::NumberType type) {
  switch (type) {
    case tasks::NumberType::kFloat64:
      return {1e-11, 1e-10};
    case tasks::NumberType::kFloat16:
      return {2e-4, 1.2e-3};
    default:
      return {1e-5, 1e-4};
  }
}

tasks::NumberType draw_floating(base::RandomStream& stream) {
  return one_in(stream, 6) ? tasks::NumberType::kFloat64 : tasks::NumberType::kFloat32;
}

double draw_constant(base::RandomStream& stream, double low, double high, int64_t steps) {
  const auto count = static_cast<double>(steps);
  const int64_t step = whole_between(stream, std::llround(low * count), std::llround(high * count));
  return static_cast<double>(step) / count;
}

GymDraft elementwise_draft(const Elementwise& what, base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  GymDraft draft;
  draft.titles = what.titles;
  draft.formula = "$y[i] = " + formula_prose(what.formula);
  draft.notes = what.notes;
  draft.sizes = {{"n", n}};
  draft.scalars = what.scalars;
  for (const GymScalar& scalar : what.scalars)
    draft.notes.push_back(fmt::format("${0} is {{{0}}}", scalar.key));
  for (const ElementwiseInput& input : what.inputs)
    draft.inputs.push_back({input.key, what.type, {n}, {"n"}, input.domain, {}});
  draft.outputs = {{"y", what.type, {n}, {"n"}, {}, usual_tolerance(what.type)}};
  draft.oracle = {"map", {{"expression", what.formula}}, ""};
  const std::string value =
      what.value.empty() ? formula_code(what.formula, cuda_number(what.type)) : what.value;
  const tasks::NumberType computed =
      what.type == tasks::NumberType::kFloat16 ? tasks::NumberType::kFloat32 : what.type;
  draft.solutions = map_solutions(draft, {computed, what.lines, {value}, {}}, stream);
  return draft;
}

}  // namespace cuset::gym
