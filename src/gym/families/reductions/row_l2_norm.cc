// The Euclidean length of each row, or its square.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_l2_norm(base::RandomStream& stream) {
  const bool squared = one_in(stream, 3);
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  if (squared) {
    draft.titles = {"the sum of squares of each row of $x", "the squared L2 norm of every row",
                    "row sums of squared elements", "the squared Euclidean length of each row"};
    draft.formula = "$y[i] = sum over j of $x[i][j] * $x[i][j]";
  } else {
    draft.titles = {"the L2 norm of each row of $x", "the Euclidean length of every row",
                    "row norms of a matrix", "the square root of each row's sum of squares"};
    draft.formula = "$y[i] = sqrt(sum over j of $x[i][j] * $x[i][j])";
  }
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-5, 1e-5}}};
  draft.oracle = {"reduce", {{"op", "l2norm"}, {"axes", 1}}, ""};
  if (squared) draft.oracle.parameters["then"] = "result * result";

  LaneWork work = row_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", squared ? "$sum" : "sqrtf($sum)");
  work.folds[0].term = "$x[$row * $columns + $j] * $x[$row * $columns + $j]";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_l2_norm;
const GymFamily kFamily_row_l2_norm = {"row_l2_norm", "reductions", draw_row_l2_norm};

}  // namespace cuset::gym
