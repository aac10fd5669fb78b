// The sum or the mean of all elements of an array.
#include "gym/solutions/draws.h"
#include "gym/solutions/full_fold.h"

namespace cuset::gym {
namespace {

GymDraft draw_full_sum(base::RandomStream& stream) {
  const bool mean = one_in(stream, 2);
  const tasks::NumberType type =
      mean ? tasks::NumberType::kFloat32
           : one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const int64_t n = whole_between(stream, 2000, 40000);
  GymDraft draft;
  const std::string what = mean ? "mean" : "sum";
  draft.titles = {"the " + what + " of all elements of $x", "the " + what + " of a vector",
                  "a full reduction of $x to its " + what,
                  "one number, the " + what + " of everything in $x"};
  draft.formula = mean ? "$y = (sum over i of $x[i]) / $n" : "$y = sum over i of $x[i]";
  draft.sizes = {{"n", n}};
  const bool whole = type == tasks::NumberType::kInt32;
  draft.inputs = {{"x", type, {n}, {"n"}, whole ? whole_numbers(-1000, 1000) : normal(0.25), {}}};
  draft.outputs = {{"y", type, {}, {}, {}, {mean ? 1e-6 : 2e-3, 1e-5}}};
  draft.oracle = {"reduce", {{"op", what}}, ""};

  FullFold work;
  work.type = type;
  if (mean) {
    work.finish = "$acc / $n";
    work.finish_sizes = {"n"};
  }
  draft.solutions = full_fold_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_full_sum;
const GymFamily kFamily_full_sum = {"full_sum", "reductions", draw_full_sum};

}  // namespace cuset::gym
