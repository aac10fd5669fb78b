// log sum exp of each row, with the largest taken off first.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_logsumexp(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32,
                                   large_scores(1.0 + static_cast<double>(stream.below(4))));
  draft.titles = {"the log-sum-exp of each row of $x", "row-wise logsumexp of a matrix",
                  "the logarithm of the sum of exponentials of every row",
                  "a numerically stable logsumexp along the last axis of $x"};
  draft.formula = "$y[i] = log(sum over j of exp($x[i][j]))";
  draft.notes = {"take the largest element of a row off first, so that nothing overflows"};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-5, 1e-6}}};
  draft.oracle = {"reduce", {{"op", "logsumexp"}, {"axes", 1}}, ""};

  LaneWork work = row_work(tasks::NumberType::kFloat32, Fold::kMax, "largest", "$largest + logf($sum)");
  work.folds.push_back({"sum", Fold::kSum, "expf($x[$row * $columns + $j] - $largest)"});
  work.is_softmax = true;
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_logsumexp;
const GymFamily kFamily_row_logsumexp = {"row_logsumexp", "reductions", draw_row_logsumexp};

}  // namespace cuset::gym
