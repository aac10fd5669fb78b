// Elements replaced where a mask says so.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/map.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

// A mask for every element, or another vector to take from.
GymDraft draw_full_mask(base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  const bool chooses = one_in(stream, 2);
  const tasks::NumberType kind = one_of(stream, {tasks::NumberType::kInt32, tasks::NumberType::kUint8});
  GymDraft draft;
  draft.sizes = {{"n", n}};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}},
                  {"mask", kind, {n}, {"n"}, whole_numbers(0, 2), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-7, 1e-6}}};
  MapWork work;
  if (chooses) {
    draft.inputs.push_back({"z", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}});
    draft.titles = {"$x where $mask is set, else $z", "a choice between $x and $z by $mask",
                    "the elements of $x or $z that $mask selects", "the where operation on $mask, $x and $z"};
    draft.formula = "$y[i] = ($mask[i] != 0 ? $x[i] : $z[i])";
    draft.oracle = {"map", {{"expression", "where($mask, $x, $z)"}}, ""};
    work.values = {"@mask ? @x : @z"};
  } else {
    draft.scalars = {{"fill", draw_constant(stream, -9, 9, 2)}};
    draft.notes = {"$fill is {fill}"};
    draft.titles = {"$x with masked elements replaced by $fill", "a masked fill of $x",
                    "$x filled with $fill where $mask is set", "the masked-fill operation on $x"};
    draft.formula = "$y[i] = ($mask[i] != 0 ? $fill : $x[i])";
    draft.oracle = {"map", {{"expression", "where($mask, {fill}, $x)"}}, ""};
    work.values = {"@mask ? $fill : @x"};
  }
  draft.solutions = map_solutions(draft, work, stream);
  return draft;
}

// A mask of columns, as of padded sequences.
GymDraft draw_column_mask(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.titles = {"$x with the masked columns filled with $fill", "a column mask over $x",
                  "$x with padding columns set to $fill", "the masked fill of every row of $x"};
  draft.formula = "$y[i][j] = ($mask[j] != 0 ? $fill : $x[i][j])";
  draft.scalars = {{"fill", draw_constant(stream, -99, -1, 2)}};
  draft.notes = {"$fill is {fill}"};
  draft.inputs.push_back(
      {"mask", tasks::NumberType::kInt32, {size.columns}, {"columns"}, whole_numbers(0, 2), {}});
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"map", {{"expression", "where($mask, {fill}, $x)"}}, ""};
  draft.solutions = plane_solutions({.arrays = {"x", "mask", "y"},
                                     .scalars = {"fill"},
                                     .lines = "int $at = $row * $columns + $column;\n"
                                              "$y[$at] = $mask[$column] ? $fill : $x[$at];\n"},
                                    stream);
  return draft;
}

GymDraft draw_masked_fill(base::RandomStream& stream) {
  return one_in(stream, 3) ? draw_column_mask(stream) : draw_full_mask(stream);
}

}  // namespace

extern const GymFamily kFamily_masked_fill;
const GymFamily kFamily_masked_fill = {"masked_fill", "broadcasting", draw_masked_fill};

}  // namespace cuset::gym
