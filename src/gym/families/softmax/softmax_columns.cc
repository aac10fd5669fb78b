// The softmax of each column.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_softmax_columns(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 16, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32,
                                   large_scores(1.0 + static_cast<double>(stream.below(3))));
  draft.titles = {"the softmax of each column of $x", "a column-wise softmax",
                  "softmax along the first axis of $x",
                  "every column of $x turned into probabilities by softmax"};
  draft.formula = "$y[i][j] = exp($x[i][j]) / sum over k of exp($x[k][j])";
  draft.notes = {"take the largest element of a column off first, so that nothing overflows"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 2e-5}}};
  draft.oracle = {"softmax", {{"axis", 0}}, ""};

  LaneWork work = column_work(tasks::NumberType::kFloat32, Fold::kMax, "largest", "");
  const std::string at = "[$i * $columns + $column]";
  work.once = "";
  work.folds.push_back({"sum", Fold::kSum, "expf($x" + at + " - $largest)"});
  work.each = "$y" + at + " = expf($x" + at + " - $largest) / $sum;\n";
  work.is_softmax = true;
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_softmax_columns;
const GymFamily kFamily_softmax_columns = {"softmax_columns", "softmax", draw_softmax_columns};

}  // namespace cuset::gym
