// A vector or every row of a matrix shifted around in a circle.
#include "gym/solutions/draws.h"
#include "gym/solutions/map.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_roll(base::RandomStream& stream) {
  const bool flat = one_in(stream, 2);
  GymDraft draft;
  if (flat) {
    const int64_t n = draw_count(stream);
    const int64_t shift = whole_between(stream, 1, n - 1);
    draft.titles = {"$x rolled by $shift places", "a circular shift of $x",
                    "$x rotated to the right by $shift elements",
                    "the vector $x with its last $shift elements in front"};
    draft.formula = "$y[(i + $shift) mod $n] = $x[i]";
    draft.sizes = {{"n", n}, {"shift", shift}};
    draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}}};
    draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-7, 1e-6}}};
    draft.oracle = {"loops", {{"expression", "$x[mod(i0 - {shift}, {n})]"}}, ""};
    MapWork work{.sizes = {"shift"}, .indexed = true};
    if (one_in(stream, 2)) {
      work.values = {"$x[($i + $n - $shift) % $n]"};
    } else {
      work.lines = "int $to = $i + $shift;\nif ($to >= $n) $to -= $n;\n$y[$to] = $x[$i];\n";
    }
    draft.solutions = map_solutions(draft, work, stream);
    return draft;
  }
  const MatrixSize size = draw_matrix(stream, 16, 200);
  draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.sizes.push_back({"down", whole_between(stream, 0, size.rows - 1)});
  draft.sizes.push_back({"right", whole_between(stream, 1, size.columns - 1)});
  draft.titles = {"$x rolled by $down rows and $right columns",
                  "a circular shift of a matrix along both axes",
                  "$x shifted down by $down and right by $right, wrapping around",
                  "the matrix $x rotated around its edges"};
  draft.formula = "$y[(i + $down) mod $rows][(j + $right) mod $columns] = $x[i][j]";
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {
      "loops", {{"expression", "$x[mod(i0 - {down}, {rows}), mod(i1 - {right}, {columns})]"}}, ""};
  draft.solutions = plane_solutions({.arrays = {"x", "y"},
                                     .sizes = {"rows", "columns", "down", "right"},
                                     .lines = "int $r = ($row + $rows - $down) % $rows;\n"
                                              "int $c = ($column + $columns - $right) % $columns;\n"
                                              "$y[$row * $columns + $column] = $x[$r * $columns + $c];\n"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_roll;
const GymFamily kFamily_roll = {"roll", "permutations", draw_roll};

}  // namespace cuset::gym
