// A matrix with a margin: of a constant, of its nearest elements, or of its mirror image.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_pad2d(base::RandomStream& stream) {
  const int64_t mode = whole_between(stream, 0, 2);
  const MatrixSize size = {whole_between(stream, 12, 90), whole_between(stream, 12, 90)};
  const int64_t top = whole_between(stream, 0, 6);
  const int64_t left = whole_between(stream, 1, 6);
  const int64_t rows = size.rows + top + whole_between(stream, 0, 6);
  const int64_t columns = size.columns + left + whole_between(stream, 0, 6);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  const std::string with = mode == 0   ? "the constant $fill"
                           : mode == 1 ? "the nearest elements"
                                       : "its mirror image";
  draft.titles = {"$x padded with " + with, "$x with a margin of " + with,
                  "a larger matrix with $x inside and around it " + with,
                  "the padding of a matrix by " + with};
  draft.formula = mode == 0 ? "$y[i][j] = $x[i - $top][j - $left] inside, $fill outside"
                  : mode == 1
                      ? "$y[i][j] = $x[clamp(i - $top, 0, $rows - 1)][clamp(j - $left, 0, $columns - 1)]"
                      : "$y[i][j] = $x[m(i - $top, $rows)][m(j - $left, $columns)], where m(k, n) = |k| "
                        "below n and 2 * (n - 1) - k from n on";
  draft.sizes.insert(draft.sizes.end(),
                     {{"top", top}, {"left", left}, {"new_rows", rows}, {"new_columns", columns}});
  draft.notes = {"$x begins at row $top = {top} and column $left = {left} of $y"};
  if (mode == 0) {
    draft.scalars = {{"fill", draw_constant(stream, -3, 3, 4)}};
    draft.notes.push_back("$fill is {fill}");
  }
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {rows, columns}, {"new_rows", "new_columns"}, {}, {1e-7, 1e-6}}};
  std::string expression =
      "where((i0 >= {top}) * (i0 < {top} + {rows}) * (i1 >= {left}) * (i1 < {left} + {columns}), $x[i0 - {top}, i1 - {left}], {fill})";
  if (mode == 1)
    expression = "$x[min(max(i0 - {top}, 0), {rows} - 1), min(max(i1 - {left}, 0), {columns} - 1)]";
  if (mode == 2)
    expression =
        "$x[{rows} - 1 - abs({rows} - 1 - abs(i0 - {top})), {columns} - 1 - abs({columns} - 1 - abs(i1 - {left}))]";
  draft.oracle = {"loops", {{"expression", expression}}, ""};
  PlaneWork work{.arrays = {"x", "y"},
                 .sizes = {"rows", "columns", "top", "left", "new_rows", "new_columns"},
                 .rows = "$new_rows",
                 .columns = "$new_columns"};
  work.lines = "int $r = $row - $top, $c = $column - $left;\n";
  if (mode == 0) {
    work.scalars = {"fill"};
    work.lines +=
        "bool $inside = $r >= 0 && $r < $rows && $c >= 0 && $c < $columns;\n"
        "$y[$row * $new_columns + $column] = $inside ? $x[$r * $columns + $c] : $fill;\n";
  } else {
    work.lines += mode == 1 ? "$r = min(max($r, 0), $rows - 1);\n$c = min(max($c, 0), $columns - 1);\n"
                            : "$r = abs($r);\n$c = abs($c);\n"
                              "if ($r >= $rows) $r = 2 * ($rows - 1) - $r;\n"
                              "if ($c >= $columns) $c = 2 * ($columns - 1) - $c;\n";
    work.lines += "$y[$row * $new_columns + $column] = $x[$r * $columns + $c];\n";
  }
  draft.solutions = plane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_pad2d;
const GymFamily kFamily_pad2d = {"pad2d", "permutations", draw_pad2d};

}  // namespace cuset::gym
