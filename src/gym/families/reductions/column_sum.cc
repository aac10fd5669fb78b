// The sum of each column, of floating or whole numbers.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_column_sum(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  const bool whole = type == tasks::NumberType::kInt32;
  GymDraft draft = draft_on_matrix(size, type, whole ? whole_numbers(-1000, 1000) : normal());
  draft.titles = {"the sum of each column of $x", "column sums of a matrix",
                  "a sum over the rows for every column",
                  "the reduction of $x along its first axis by addition"};
  draft.formula = "$y[j] = sum over i of $x[i][j]";
  draft.outputs = {{"y", type, {size.columns}, {"columns"}, {}, {1e-4, 2e-5}}};
  draft.oracle = {"reduce", {{"op", "sum"}, {"axes", 0}}, ""};
  draft.solutions = lane_solutions(column_work(type, Fold::kSum, "sum", "$sum"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_column_sum;
const GymFamily kFamily_column_sum = {"column_sum", "reductions", draw_column_sum};

}  // namespace cuset::gym
