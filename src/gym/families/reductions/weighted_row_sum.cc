// The sum of each row with a weight for every column.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_weighted_row_sum(base::RandomStream& stream) {
  const bool mean = one_in(stream, 3);
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.inputs.push_back(
      {"weight", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, uniform(0, 2), {}});
  draft.titles = {"the weighted sum of each row of $x", "row sums of $x with the column weights $weight",
                  "the sum of every row, each column counted by its weight",
                  "a weighted reduction of $x along its last axis"};
  draft.formula = "$y[i] = sum over j of $weight[j] * $x[i][j]";
  if (mean) {
    draft.formula = "$y[i] = (sum over j of $weight[j] * $x[i][j]) / $columns";
    draft.notes = {"the sum is divided by the number of columns"};
  }
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {mean ? 2e-6 : 1e-4, 2e-5}}};
  draft.oracle = {"matmul", {{"a", "$x"}, {"b", "$weight"}}, ""};
  if (mean) draft.oracle.parameters["then"] = "result / {columns}";

  LaneWork work = row_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", mean ? "$sum / $columns" : "$sum");
  work.arrays = {"x", "weight", "y"};
  work.folds[0].term = "$weight[$j] * $x[$row * $columns + $j]";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_weighted_row_sum;
const GymFamily kFamily_weighted_row_sum = {"weighted_row_sum", "reductions", draw_weighted_row_sum};

}  // namespace cuset::gym
