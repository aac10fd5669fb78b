// A matrix plus a multiple of the outer product of two vectors.
#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_outer_update(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft;
  draft.scalars = {{"alpha", 0.125 * static_cast<double>(whole_between(stream, 1, 24))}};
  draft.titles = {"a rank-one update of $a", "$a plus $alpha times the outer product of $u and $v",
                  "the outer-product update A + alpha u v^T", "the addition of a scaled outer product to $a"};
  draft.formula = "$y[i][j] = $a[i][j] + $alpha * $u[i] * $v[j]";
  draft.notes = {"$alpha is {alpha}"};
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.inputs = {
      {"a", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, normal(), {}},
      {"u", tasks::NumberType::kFloat32, {size.rows, 1}, {"rows", "1"}, normal(), {}},
      {"v", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, normal(), {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {5e-6, 1e-5}}};
  draft.oracle = {"map", {{"expression", "$a + {alpha} * $u * $v"}}, ""};

  PlaceWork work;
  work.arrays = {"a", "u", "v", "y"};
  work.sizes = {"rows", "columns"};
  work.scalars = {"alpha"};
  work.planes = "$rows";
  work.places = "$columns";
  work.plane = "row";
  work.place = "column";
  work.noun = "row";
  work.lines =
      "$y[$row * $columns + $column] = $a[$row * $columns + $column] + $alpha * $u[$row] * $v[$column];\n";
  draft.solutions = place_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_outer_update;
const GymFamily kFamily_outer_update = {"outer_update", "products", draw_outer_update};

}  // namespace cuset::gym
