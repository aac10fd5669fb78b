// Differences of neighbors along one axis of a periodic grid: derivatives of first and second order.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_finite_difference(base::RandomStream& stream) {
  const bool second = one_in(stream, 2);
  const bool along_rows = one_in(stream, 2);
  const MatrixSize size = {whole_between(stream, 24, 110), whole_between(stream, 24, 110)};
  const std::string order = second ? "second" : "first";
  const std::string axis = along_rows ? "first" : "last";
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.titles = {fmt::format("the {} derivative of $x along its {} axis", order, axis),
                  fmt::format("central differences of {} order on a periodic grid", order),
                  fmt::format("a finite-difference approximation of the {} derivative", order),
                  fmt::format("the {} difference quotient of neighbors along the {} axis", order, axis)};
  draft.scalars = {{"scale", draw_constant(stream, 0.25, 4, 4)}};
  draft.notes = {"$scale is {scale}", "the grid is periodic: indices wrap around"};
  const std::string before = along_rows ? "$x[i - 1][j]" : "$x[i][j - 1]";
  const std::string after = along_rows ? "$x[i + 1][j]" : "$x[i][j + 1]";
  draft.formula = second ? "$y[i][j] = $scale * (" + before + " - 2 * $x[i][j] + " + after + ")"
                         : "$y[i][j] = $scale * (" + after + " - " + before + ")";
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-5, 1e-4}}};
  const std::string low = along_rows ? "$x[mod(i0 - 1, {rows}), i1]" : "$x[i0, mod(i1 - 1, {columns})]";
  const std::string high = along_rows ? "$x[mod(i0 + 1, {rows}), i1]" : "$x[i0, mod(i1 + 1, {columns})]";
  draft.oracle = {"loops",
                  {{"expression", second ? "{scale} * (" + low + " - 2 * $x + " + high + ")"
                                         : "{scale} * (" + high + " - " + low + ")"}},
                  ""};
  const std::string place = along_rows ? "$row" : "$column";
  const std::string count = along_rows ? "$rows" : "$columns";
  const auto at = [&](const std::string& index) {
    return along_rows ? "$x[" + index + " * $columns + $column]" : "$x[$row * $columns + " + index + "]";
  };
  const std::string value = second ? at("$prev") + " - 2.0f * $x[$row * $columns + $column] + " + at("$next")
                                   : at("$next") + " - " + at("$prev");
  draft.solutions = plane_solutions({.arrays = {"x", "y"},
                                     .scalars = {"scale"},
                                     .lines = "int $prev = (" + place + " + " + count + " - 1) % " + count +
                                              ";\n"
                                              "int $next = (" +
                                              place + " + 1) % " + count +
                                              ";\n"
                                              "$y[$row * $columns + $column] = $scale * (" +
                                              value + ");\n",
                                     .noun = "point"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_finite_difference;
const GymFamily kFamily_finite_difference = {"finite_difference", "stencils", draw_finite_difference};

}  // namespace cuset::gym
