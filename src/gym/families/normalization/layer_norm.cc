// Layer norm of each row, with or without weight and bias.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_layer_norm(base::RandomStream& stream) {
  const bool affine = one_in(stream, 3);
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal(0.5));
  draft.scalars = {{"eps", one_of(stream, {1e-5, 1e-4, 1e-3, 1e-2})}};
  draft.titles = {"the layer norm of each row of $x", "layer normalization over the last axis of $x",
                  "every row of $x brought to mean 0 and variance 1", "a row-wise layer norm"};
  draft.formula = "$y[i][j] = ($x[i][j] - mean of row i) / sqrt(variance of row i + $eps)";
  if (affine) draft.formula += " * $weight[j] + $bias[j]";
  draft.notes = {"$eps is {eps}", "the variance is that of the population, divided by $columns"};
  if (affine) {
    draft.inputs.push_back(
        {"weight", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, uniform(0.5, 1.5), {}});
    draft.inputs.push_back(
        {"bias", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, normal(0, 0.5), {}});
  }
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {2e-5, 2e-5}}};
  draft.oracle = {"layer_norm", {{"axes", 1}, {"eps", draft.scalars[0].value}}, ""};

  LaneWork work;
  const std::string at = "[$row * $columns + $j]";
  work.arrays =
      affine ? std::vector<std::string>{"x", "weight", "bias", "y"} : std::vector<std::string>{"x", "y"};
  work.scalars = {"eps"};
  work.folds = {{"sum", Fold::kSum, "$x" + at, "float $mean = $sum / $columns;\n"},
                {"squares", Fold::kSum, "($x" + at + " - $mean) * ($x" + at + " - $mean)",
                 "float $scale = rsqrtf($squares / $columns + $eps);\n"}};
  work.each =
      "$y" + at + " = ($x" + at + " - $mean) * $scale" + (affine ? " * $weight[$j] + $bias[$j];\n" : ";\n");
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_layer_norm;
const GymFamily kFamily_layer_norm = {"layer_norm", "normalization", draw_layer_norm};

}  // namespace cuset::gym
