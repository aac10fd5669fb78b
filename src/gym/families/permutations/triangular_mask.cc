// The part of a matrix on one side of a diagonal; the rest becomes 0 or another constant.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_triangular_mask(base::RandomStream& stream) {
  const bool lower = one_in(stream, 2);
  const bool zero = one_in(stream, 2);
  const int64_t diagonal = whole_between(stream, 0, 6);
  const MatrixSize size = {whole_between(stream, 24, 140), whole_between(stream, 24, 140)};
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  const std::string part = lower ? "lower" : "upper";
  draft.titles = {fmt::format("the {} triangle of $x", part),
                  fmt::format("$x with all but its {} triangle {}", part, zero ? "cleared" : "set to $fill"),
                  fmt::format("a {} triangular mask applied to $x", part),
                  fmt::format("the {} triangular part of a matrix, from a shifted diagonal", part)};
  const std::string condition = lower ? "j <= i + $diagonal" : "j >= i + $diagonal";
  draft.formula = "$y[i][j] = (" + condition + " ? $x[i][j] : " + (zero ? "0" : "$fill") + ")";
  draft.sizes.push_back({"diagonal", diagonal});
  draft.notes = {"$diagonal is {diagonal}"};
  if (!zero) {
    draft.scalars = {{"fill", draw_constant(stream, -50, -1, 2)}};
    draft.notes.push_back("$fill is {fill}");
  }
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
  const std::string sign = lower ? "<=" : ">=";
  draft.oracle = {
      "loops",
      {{"expression", "where(i1 " + sign + " i0 + {diagonal}, $x, " + (zero ? "0" : "{fill}") + ")"}},
      ""};
  PlaneWork work{.arrays = {"x", "y"}, .sizes = {"rows", "columns", "diagonal"}};
  if (!zero) work.scalars = {"fill"};
  work.lines = "int $at = $row * $columns + $column;\n$y[$at] = $column " + sign +
               " $row + $diagonal ? $x[$at] : " + (zero ? "0.0f" : "$fill") + ";\n";
  draft.solutions = plane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_triangular_mask;
const GymFamily kFamily_triangular_mask = {"triangular_mask", "permutations", draw_triangular_mask, true};

}  // namespace cuset::gym
