// The largest number of each column.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_column_max(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  const bool whole = type == tasks::NumberType::kInt32;
  GymDraft draft = draft_on_matrix(size, type, whole ? whole_numbers(-2e9, 2e9) : normal(-3));
  draft.titles = {"the largest element of each column of $x", "column maxima of a matrix",
                  "the maximum over all rows, column by column", "the maximum of $x along its first axis"};
  draft.formula = "$y[j] = max over i of $x[i][j]";
  draft.outputs = {{"y", type, {size.columns}, {"columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"reduce", {{"op", "max"}, {"axes", 0}}, ""};
  draft.solutions = lane_solutions(column_work(type, Fold::kMax, "best", "$best"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_column_max;
const GymFamily kFamily_column_max = {"column_max", "reductions", draw_column_max};

}  // namespace cuset::gym
