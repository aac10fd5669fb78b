// The largest or the smallest element of an array.
#include "gym/solutions/draws.h"
#include "gym/solutions/full_fold.h"

namespace cuset::gym {
namespace {

GymDraft draw_full_max(base::RandomStream& stream) {
  const bool largest = one_in(stream, 2);
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const int64_t n = whole_between(stream, 2000, 40000);
  GymDraft draft;
  const std::string what = largest ? "largest" : "smallest";
  const std::string extreme = largest ? "maximum" : "minimum";
  draft.titles = {"the " + what + " element of $x", "the " + extreme + " of a vector",
                  "a full reduction of $x to its " + extreme,
                  "one number, the " + what + " of everything in $x"};
  draft.formula = largest ? "$y = max over i of $x[i]" : "$y = min over i of $x[i]";
  draft.sizes = {{"n", n}};
  const tasks::Domain domain =
      type == tasks::NumberType::kInt32 ? whole_numbers(-10000000, 10000000) : normal(largest ? -5 : 5);
  draft.inputs = {{"x", type, {n}, {"n"}, domain, {}}};
  draft.outputs = {{"y", type, {}, {}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"reduce", {{"op", largest ? "max" : "min"}}, ""};

  FullFold work;
  work.type = type;
  work.fold = largest ? Fold::kMax : Fold::kMin;
  draft.solutions = full_fold_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_full_max;
const GymFamily kFamily_full_max = {"full_max", "reductions", draw_full_max};

}  // namespace cuset::gym
