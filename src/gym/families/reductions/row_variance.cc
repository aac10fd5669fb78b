// The variance of each row, biased or not, in two sweeps: the mean, then what is left of it.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_variance(base::RandomStream& stream) {
  const bool unbiased = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft =
      draft_on_matrix(size, tasks::NumberType::kFloat32, normal(0.5 * static_cast<double>(stream.below(4))));
  draft.titles = {"the variance of each row of $x", "row variances of a matrix",
                  "the mean squared deviation of every row from its mean",
                  "the variance of $x along its last axis"};
  const std::string divisor = unbiased ? "($columns - 1)" : "$columns";
  draft.formula = "$y[i] = (sum over j of ($x[i][j] - mean of row i)^2) / " + divisor;
  draft.notes = {unbiased ? "the variance is the unbiased one, divided by $columns - 1"
                          : "the variance is that of the population, divided by $columns"};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {2e-6, 2e-5}}};
  draft.oracle = {"reduce", {{"op", "var"}, {"axes", 1}, {"correction", unbiased ? 1 : 0}}, ""};

  LaneWork work = row_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "$squares / " + divisor);
  work.folds[0].then = "float $mean = $sum / $columns;\n";
  work.folds.push_back(
      {"squares", Fold::kSum, "($x[$row * $columns + $j] - $mean) * ($x[$row * $columns + $j] - $mean)"});
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_variance;
const GymFamily kFamily_row_variance = {"row_variance", "reductions", draw_row_variance};

}  // namespace cuset::gym
