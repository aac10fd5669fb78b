#include "gym/families/optimizers/optimizer_step.h"

#include <fmt/format.h>

#include "gym/solutions/map.h"

namespace cuset::gym {

GymDraft optimizer_draft(const OptimizerStep& step, base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  GymDraft draft;
  draft.titles = step.titles;
  draft.formula = "for every element: " + step.prose;
  draft.sizes = {{"n", n}};
  draft.scalars = step.scalars;
  for (const GymScalar& scalar : step.scalars)
    draft.notes.push_back(fmt::format("${0} is {{{0}}}", scalar.key));
  const auto add = [&](const std::string& key, const tasks::Domain& domain, bool changes) {
    draft.inputs.push_back({key, tasks::NumberType::kFloat32, {n}, {"n"}, domain, {}});
    if (changes)
      draft.outputs.push_back({key + "_out", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-5, 1e-4}});
  };
  add("param", normal(), true);
  add("grad", normal(), false);
  for (const ElementwiseInput& state : step.states) add(state.key, state.domain, true);
  base::Json expressions = base::Json::object();
  for (size_t k = 0; k < draft.outputs.size(); ++k)
    expressions["$" + draft.outputs[k].key] = step.formulas[k];
  draft.oracle = {"map", {{"expressions", expressions}}, ""};
  draft.solutions = map_solutions(draft, {tasks::NumberType::kFloat32, step.lines, step.values, {}}, stream);
  return draft;
}

}  // namespace cuset::gym
