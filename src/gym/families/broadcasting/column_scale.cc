// Each row of a matrix times, or over, a number of its own.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_column_scale(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  const bool divides = one_in(stream, 3);
  const std::string sign = divides ? "/" : "*";
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  if (divides) {
    draft.titles = {"each row of $x divided by a number of its own", "$x with row i divided by $scale[i]",
                    "the rows of $x over the entries of $scale",
                    "a division of $x by the column vector $scale"};
  } else {
    draft.titles = {"each row of $x multiplied by a number of its own", "$x with row i scaled by $scale[i]",
                    "the product of the diagonal matrix of $scale and $x",
                    "$x times the column vector $scale, broadcast"};
  }
  draft.formula = "$y[i][j] = $x[i][j] " + sign + " $scale[i]";
  draft.inputs.push_back({"scale", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, uniform(0.3, 3), {}});
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-6, 1e-5}}};
  draft.oracle = {"loops", {{"expression", "$x " + sign + " $scale[i0]"}}, ""};
  draft.solutions = plane_solutions(
      {.arrays = {"x", "scale", "y"},
       .lines = "$y[$row * $columns + $column] = $x[$row * $columns + $column] " + sign + " $scale[$row];\n"},
      stream);
  GymSolution shared = plane_frame({.arrays = {"x", "scale", "y"}}, "shared_factors", 32, 8);
  shared.kernels[0].body = "__shared__ float $factor[$high];\n" + shared.kernels[0].body +
                           "if (threadIdx.x == 0 && $row < $rows) $factor[threadIdx.y] = $scale[$row];\n"
                           "__syncthreads();\n"
                           "if ($row < $rows && $column < $columns)\n"
                           "  $y[$row * $columns + $column] = $x[$row * $columns + $column] " +
                           sign + " $factor[threadIdx.y];\n";
  shared.reasoning = {"blocks of $wide x $high threads cover the matrix, one thread per element", "",
                      "the factor of each row is read once per block and kept in shared memory"};
  draft.solutions.push_back(shared);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_column_scale;
const GymFamily kFamily_column_scale = {"column_scale", "broadcasting", draw_column_scale};

}  // namespace cuset::gym
