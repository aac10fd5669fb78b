// The mean of each column.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_column_mean(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft =
      draft_on_matrix(size, tasks::NumberType::kFloat32, normal(0.25 * static_cast<double>(stream.below(5))));
  draft.titles = {"the mean of each column of $x", "column averages of a matrix",
                  "the average over all rows, column by column", "the mean of $x along its first axis"};
  draft.formula = "$y[j] = (sum over i of $x[i][j]) / $rows";
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, {}, {2e-6, 1e-5}}};
  draft.oracle = {"reduce", {{"op", "mean"}, {"axes", 0}}, ""};
  draft.solutions =
      lane_solutions(column_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "$sum / $rows"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_column_mean;
const GymFamily kFamily_column_mean = {"column_mean", "reductions", draw_column_mean};

}  // namespace cuset::gym
