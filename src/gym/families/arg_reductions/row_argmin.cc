// The place of the smallest element of each row.
#include "gym/solutions/arg_fold.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_argmin(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft =
      draft_on_matrix(size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal(2));
  draft.titles = {"the index of the smallest element of each row of $x",
                  "the argmin of every row of a matrix", "row-wise argmin",
                  "the column at which each row of $x has its minimum"};
  draft.formula = "$y[i] = the smallest j with $x[i][j] = min over k of $x[i][k]";
  draft.notes = {"$y holds int32 indices from 0", "of equal elements the one with the smallest index counts"};
  draft.outputs = {{"y", tasks::NumberType::kInt32, {size.rows}, {"rows"}, {}, {}}};
  draft.oracle = {"reduce", {{"op", "argmin"}, {"axes", 1}}, ""};

  ArgFold work;
  work.type = type;
  work.largest = false;
  draft.solutions = arg_lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_argmin;
const GymFamily kFamily_row_argmin = {"row_argmin", "arg_reductions", draw_row_argmin};

}  // namespace cuset::gym
