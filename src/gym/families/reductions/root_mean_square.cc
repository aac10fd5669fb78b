// The L2 norm of a whole vector, or the root of its mean square.
#include "gym/solutions/draws.h"
#include "gym/solutions/full_fold.h"

namespace cuset::gym {
namespace {

GymDraft draw_root_mean_square(base::RandomStream& stream) {
  const bool mean = one_in(stream, 2);
  const int64_t n = whole_between(stream, 2000, 40000);
  GymDraft draft;
  if (mean) {
    draft.titles = {"the root mean square of $x", "the RMS of a vector",
                    "the square root of the mean of all squared elements of $x",
                    "one number, the quadratic mean of $x"};
    draft.formula = "$y = sqrt((sum over i of $x[i] * $x[i]) / $n)";
  } else {
    draft.titles = {"the L2 norm of $x", "the Euclidean length of a vector",
                    "the square root of the sum of all squared elements of $x",
                    "one number, the 2-norm of $x"};
    draft.formula = "$y = sqrt(sum over i of $x[i] * $x[i])";
  }
  draft.sizes = {{"n", n}};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(0.25), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {}, {}, {}, {1e-6, 1e-5}}};
  draft.oracle = {"reduce", {{"op", "l2norm"}}, ""};
  if (mean) draft.oracle.parameters["then"] = "result / sqrt({n})";

  FullFold work;
  work.term = "$x[$i] * $x[$i]";
  work.finish = mean ? "sqrtf($acc / $n)" : "sqrtf($acc)";
  if (mean) work.finish_sizes = {"n"};
  work.linear = false;
  draft.solutions = full_fold_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_root_mean_square;
const GymFamily kFamily_root_mean_square = {"root_mean_square", "reductions", draw_root_mean_square};

}  // namespace cuset::gym
