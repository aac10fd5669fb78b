// RMS norm of each row, with or without a weight.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_rms_norm(base::RandomStream& stream) {
  const bool weighted = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.scalars = {{"eps", one_of(stream, {1e-6, 1e-5, 1e-4, 1e-3})}};
  draft.titles = {"the RMS norm of each row of $x", "root-mean-square normalization over the last axis of $x",
                  "every row of $x divided by its root mean square", "a row-wise RMS norm"};
  draft.formula = "$y[i][j] = $x[i][j] / sqrt((sum over k of $x[i][k]^2) / $columns + $eps)";
  if (weighted) {
    draft.formula += " * $weight[j]";
    draft.inputs.push_back(
        {"weight", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, uniform(0.5, 1.5), {}});
  }
  draft.notes = {"$eps is {eps}"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-5, 2e-5}}};
  draft.oracle = {"rms_norm", {{"axes", 1}, {"eps", draft.scalars[0].value}}, ""};

  LaneWork work;
  const std::string at = "[$row * $columns + $j]";
  work.arrays = weighted ? std::vector<std::string>{"x", "weight", "y"} : std::vector<std::string>{"x", "y"};
  work.scalars = {"eps"};
  work.folds = {
      {"sum", Fold::kSum, "$x" + at + " * $x" + at, "float $scale = rsqrtf($sum / $columns + $eps);\n"}};
  work.each = "$y" + at + " = $x" + at + " * $scale" + (weighted ? " * $weight[$j];\n" : ";\n");
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_rms_norm;
const GymFamily kFamily_rms_norm = {"rms_norm", "normalization", draw_rms_norm};

}  // namespace cuset::gym
