// The softmax of each row.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_softmax_rows(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 16, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32,
                                   large_scores(1.0 + static_cast<double>(stream.below(3))));
  draft.titles = {"the softmax of each row of $x", "a row-wise softmax", "softmax along the last axis of $x",
                  "every row of $x turned into probabilities by softmax"};
  draft.formula = "$y[i][j] = exp($x[i][j]) / sum over k of exp($x[i][k])";
  draft.notes = {"take the largest element of a row off first, so that nothing overflows"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 2e-5}}};
  draft.oracle = {"softmax", {{"axis", 1}}, ""};

  LaneWork work;
  const std::string at = "[$row * $columns + $j]";
  work.arrays = {"x", "y"};
  work.folds = {{"largest", Fold::kMax, "$x" + at}, {"sum", Fold::kSum, "expf($x" + at + " - $largest)"}};
  work.each = "$y" + at + " = expf($x" + at + " - $largest) / $sum;\n";
  work.is_softmax = true;
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_softmax_rows;
const GymFamily kFamily_softmax_rows = {"softmax_rows", "softmax", draw_softmax_rows};

}  // namespace cuset::gym
