// Elements looked up by their places, with a factor now and then.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_element_gather(base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  const int64_t length = whole_between(stream, 100, 20000);
  const bool weighted = one_in(stream, 2);
  GymDraft draft;
  draft.sizes = {{"n", n}, {"length", length}};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {length}, {"length"}, normal(), {}},
                  {"indices", tasks::NumberType::kInt32, {n}, {"n"}, indices_below(length), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-6, 1e-5}}};
  MapWork work{.indexed = true};
  if (weighted) {
    draft.inputs.push_back({"weight", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}});
    draft.titles = {"weighted elements of $x at the places $indices", "gathered elements of $x times $weight",
                    "$weight[i] times the element of $x that $indices[i] names", "a weighted gather from $x"};
    draft.formula = "$y[i] = $weight[i] * $x[$indices[i]]";
    draft.oracle = {"map", {{"expression", "$weight * $x[$indices]"}}, ""};
    work.values = {"$weight[$i] * $x[$indices[$i]]"};
  } else {
    draft.titles = {"the elements of $x at the places $indices", "a gather from $x by $indices",
                    "$x indexed by $indices", "for each entry of $indices the element of $x it names"};
    draft.formula = "$y[i] = $x[$indices[i]]";
    draft.oracle = {"map", {{"expression", "$x[$indices]"}}, ""};
    work.values = {"$x[$indices[$i]]"};
  }
  draft.solutions = map_solutions(draft, work, stream);
  for (GymSolution& solution : draft.solutions)
    solution.reasoning.memory =
        "indices are read in runs; the elements they name lie anywhere, so that those loads are scattered";
  return draft;
}

}  // namespace

extern const GymFamily kFamily_element_gather;
const GymFamily kFamily_element_gather = {"element_gather", "indexing", draw_element_gather};

}  // namespace cuset::gym
