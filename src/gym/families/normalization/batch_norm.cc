// Batch norm of the columns with the batch's own mean and variance.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_batch_norm(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal(0.5));
  draft.scalars = {{"eps", one_of(stream, {1e-5, 1e-4, 1e-3, 1e-2})}};
  draft.titles = {"the batch norm of $x over its rows",
                  "batch normalization with the statistics of the batch",
                  "every column of $x brought to mean 0 and variance 1 over the batch",
                  "training-mode batch norm of a matrix of features"};
  draft.formula = "$y[i][j] = ($x[i][j] - mean of column j) / sqrt(variance of column j + $eps)";
  draft.notes = {"$eps is {eps}", "the variance is that of the population, divided by $rows"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {2e-5, 2e-5}}};
  draft.oracle = {"layer_norm", {{"axes", 0}, {"eps", draft.scalars[0].value}}, ""};

  LaneWork work = column_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "");
  const std::string at = "[$i * $columns + $column]";
  work.scalars = {"eps"};
  work.folds[0].then = "float $mean = $sum / $rows;\n";
  work.folds.push_back({"squares", Fold::kSum, "($x" + at + " - $mean) * ($x" + at + " - $mean)",
                        "float $scale = rsqrtf($squares / $rows + $eps);\n"});
  work.once = "";
  work.each = "$y" + at + " = ($x" + at + " - $mean) * $scale;\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_batch_norm;
const GymFamily kFamily_batch_norm = {"batch_norm", "normalization", draw_batch_norm};

}  // namespace cuset::gym
