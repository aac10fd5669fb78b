// A vector added to every row of a matrix, bare or with an activation behind it.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_bias(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  const bool rectified = one_in(stream, 3);
  const bool subtracts = one_in(stream, 3);
  const std::string sign = subtracts ? "-" : "+";
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  const std::string after = rectified ? ", then a ReLU" : "";
  draft.titles = {
      subtracts ? "$x minus the vector $bias in every row" + after
                : "a bias added to every row of $x" + after,
      subtracts ? "the row-wise difference of $x and $bias" + after : "$x plus the row vector $bias" + after,
      "the matrix $x with $bias " + std::string(subtracts ? "subtracted from" : "added to") + " each row" +
          after,
      "a broadcast of $bias over the rows of $x" + after};
  const std::string sum = "$x[i][j] " + sign + " $bias[j]";
  draft.formula = "$y[i][j] = " + (rectified ? "max(" + sum + ", 0)" : sum);
  draft.inputs.push_back({"bias", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, normal(), {}});
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-6, 1e-5}}};
  const std::string formula = "$x " + sign + " $bias";
  draft.oracle = {"map", {{"expression", rectified ? "max(" + formula + ", 0)" : formula}}, ""};
  const std::string value = "$x[$row * $columns + $column] " + sign + " $bias[$column]";
  draft.solutions = plane_solutions({.arrays = {"x", "bias", "y"},
                                     .lines = "$y[$row * $columns + $column] = " +
                                              (rectified ? "fmaxf(" + value + ", 0.0f)" : value) + ";\n"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_bias;
const GymFamily kFamily_row_bias = {"row_bias", "broadcasting", draw_row_bias, true};

}  // namespace cuset::gym
