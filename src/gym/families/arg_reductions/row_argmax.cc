// The place of the largest element of each row.
#include "gym/solutions/arg_fold.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_argmax(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft =
      draft_on_matrix(size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal(-2));
  draft.titles = {"the index of the largest element of each row of $x", "the argmax of every row of a matrix",
                  "row-wise argmax", "the column at which each row of $x has its maximum"};
  draft.formula = "$y[i] = the smallest j with $x[i][j] = max over k of $x[i][k]";
  draft.notes = {"$y holds int32 indices from 0", "of equal elements the one with the smallest index counts"};
  draft.outputs = {{"y", tasks::NumberType::kInt32, {size.rows}, {"rows"}, {}, {}}};
  draft.oracle = {"reduce", {{"op", "argmax"}, {"axes", 1}}, ""};

  ArgFold work;
  work.type = type;
  draft.solutions = arg_lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_argmax;
const GymFamily kFamily_row_argmax = {"row_argmax", "arg_reductions", draw_row_argmax};

}  // namespace cuset::gym
