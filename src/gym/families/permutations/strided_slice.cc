// Every so many rows and columns of a matrix, from a corner on.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_strided_slice(base::RandomStream& stream) {
  const int64_t step_rows = whole_between(stream, 1, 4);
  const int64_t step_columns = whole_between(stream, 2, 4);
  const int64_t top = whole_between(stream, 0, 9);
  const int64_t left = whole_between(stream, 0, 9);
  const int64_t new_rows = whole_between(stream, 20, 80);
  const int64_t new_columns = whole_between(stream, 20, 80);
  const MatrixSize size = {top + (new_rows - 1) * step_rows + 1 + whole_between(stream, 0, 5),
                           left + (new_columns - 1) * step_columns + 1 + whole_between(stream, 0, 5)};
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.titles = {"a strided slice of the matrix $x",
                  "the elements of $x at steps of {step_rows} rows and {step_columns} columns",
                  "$new_rows x $new_columns samples of $x on a coarse grid", "the subsampled matrix $x"};
  draft.formula = "$y[i][j] = $x[$top + i * $step_rows][$left + j * $step_columns]";
  draft.notes = {"$top is {top}, $left is {left}",
                 "$step_rows is {step_rows}, $step_columns is {step_columns}"};
  draft.sizes.insert(draft.sizes.end(), {{"new_rows", new_rows},
                                         {"new_columns", new_columns},
                                         {"top", top},
                                         {"left", left},
                                         {"step_rows", step_rows},
                                         {"step_columns", step_columns}});
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {new_rows, new_columns},
                    {"new_rows", "new_columns"},
                    {},
                    {1e-7, 1e-6}}};
  draft.oracle = {
      "loops", {{"expression", "$x[{top} + i0 * {step_rows}, {left} + i1 * {step_columns}]"}}, ""};
  draft.solutions = plane_solutions(
      {.arrays = {"x", "y"},
       .sizes = {"columns", "new_rows", "new_columns", "top", "left", "step_rows", "step_columns"},
       .rows = "$new_rows",
       .columns = "$new_columns",
       .lines = "int $r = $top + $row * $step_rows;\n"
                "int $c = $left + $column * $step_columns;\n"
                "$y[$row * $new_columns + $column] = $x[$r * $columns + $c];\n"},
      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_strided_slice;
const GymFamily kFamily_strided_slice = {"strided_slice", "permutations", draw_strided_slice};

}  // namespace cuset::gym
