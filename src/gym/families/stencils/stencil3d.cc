// Seven points of a volume: a point and its six neighbors; the surface is kept.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_stencil3d(base::RandomStream& stream) {
  const int64_t depth = whole_between(stream, 8, 20);
  const int64_t rows = whole_between(stream, 8, 36);
  const int64_t columns = whole_between(stream, 8, 36);
  GymDraft draft;
  draft.titles = {"a seven-point stencil over the volume $x", "one diffusion step in three dimensions",
                  "each point of $x mixed with its six neighbors", "a three-dimensional Jacobi-like sweep"};
  draft.formula =
      "$y[d][i][j] = $c0 * $x[d][i][j] + $c1 * ($x[d-1][i][j] + $x[d+1][i][j] + $x[d][i-1][j] + $x[d][i+1][j] + "
      "$x[d][i][j-1] + $x[d][i][j+1])";
  draft.sizes = {{"depth", depth}, {"rows", rows}, {"columns", columns}};
  draft.scalars = {{"c0", draw_constant(stream, 0.2, 1)}, {"c1", draw_constant(stream, 0.05, 0.3)}};
  draft.notes = {"$c0 is {c0}", "$c1 is {c1}", "points on the surface of the volume are copied"};
  const tasks::Shape shape = {depth, rows, columns};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, shape, {"depth", "rows", "columns"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, shape, {"depth", "rows", "columns"}, {}, {5e-6, 5e-5}}};
  draft.oracle = {
      "loops",
      {{"expression",
        "where((i0 > 0) * (i0 < {depth} - 1) * (i1 > 0) * (i1 < {rows} - 1) * (i2 > 0) * (i2 < {columns} - 1), {c0} * $x + "
        "{c1} * ($x[i0 - 1, i1, i2] + $x[i0 + 1, i1, i2] + $x[i0, i1 - 1, i2] + $x[i0, i1 + 1, i2] + $x[i0, i1, i2 - 1] + "
        "$x[i0, i1, i2 + 1]), $x)"}},
      ""};
  PlaneWork work{.arrays = {"x", "y"},
                 .sizes = {"depth", "rows", "columns"},
                 .scalars = {"c0", "c1"},
                 .planes = "$depth",
                 .noun = "point"};
  work.lines =
      "int $area = $rows * $columns;\n"
      "int $at = $plane * $area + $row * $columns + $column;\n"
      "float $v = $x[$at];\n"
      "if ($plane > 0 && $plane < $depth - 1 && $row > 0 && $row < $rows - 1 && $column > 0 && $column < $columns - 1)\n"
      "  $v = $c0 * $v + $c1 * ($x[$at - $area] + $x[$at + $area] + $x[$at - $columns] + $x[$at + $columns] + $x[$at - 1] + $x[$at + 1]);\n"
      "$y[$at] = $v;\n";
  draft.solutions = plane_solutions(work, stream);
  PlaneWork sheet = work;
  sheet.planes.clear();
  GymSolution march = plane_frame(sheet, "march_through_planes", 16, 8);
  march.kernels[0].body +=
      "if ($row >= $rows || $column >= $columns) return;\n"
      "int $area = $rows * $columns, $at = $row * $columns + $column;\n"
      "bool $inner = $row > 0 && $row < $rows - 1 && $column > 0 && $column < $columns - 1;\n"
      "float $below = 0.0f, $v = $x[$at];\n"
      "for (int $plane = 0; $plane < $depth; ++$plane, $at += $area) {\n"
      "  float $above = $plane + 1 < $depth ? $x[$at + $area] : 0.0f;\n"
      "  if ($inner && $plane > 0 && $plane < $depth - 1)\n"
      "    $y[$at] = $c0 * $v + $c1 * ($below + $above + $x[$at - $columns] + $x[$at + $columns] + $x[$at - 1] + $x[$at + 1]);\n"
      "  else\n"
      "    $y[$at] = $v;\n"
      "  $below = $v;\n"
      "  $v = $above;\n"
      "}\n";
  march.reasoning = {
      "one thread owns one row and column and marches through all planes", "",
      "the points below, at and above it move through registers, so that each is read once by its own thread"};
  draft.solutions.push_back(march);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_stencil3d;
const GymFamily kFamily_stencil3d = {"stencil3d", "stencils", draw_stencil3d};

}  // namespace cuset::gym
