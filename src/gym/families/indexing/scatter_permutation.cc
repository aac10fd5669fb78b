// Every element or row put to the place that a permutation names.
#include "gym/solutions/draws.h"
#include "gym/solutions/map.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_scatter_permutation(base::RandomStream& stream) {
  const bool rows_move = one_in(stream, 2);
  tasks::Domain permutation;
  permutation.kind = tasks::Domain::Kind::kPermutation;
  GymDraft draft;
  if (!rows_move) {
    const int64_t n = draw_count(stream);
    draft.titles = {"the elements of $x scattered by the permutation $indices",
                    "$x with element i put to place $indices[i]", "a scatter of $x",
                    "the reordering of $x that $indices describes"};
    draft.formula = "$y[$indices[i]] = $x[i]";
    draft.sizes = {{"n", n}};
    draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}},
                    {"indices", tasks::NumberType::kInt32, {n}, {"n"}, permutation, {}}};
    draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-7, 1e-6}}};
    draft.solutions =
        map_solutions(draft, {.lines = "$y[$indices[$i]] = $x[$i];\n", .indexed = true}, stream);
  } else {
    const MatrixSize size = draw_matrix(stream, 8, 100);
    draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
    draft.titles = {"the rows of $x in the order of $indices", "$x with row i moved to row $indices[i]",
                    "a scatter of whole rows", "the rows of $x put to the places that $indices names"};
    draft.formula = "$y[$indices[i]][j] = $x[i][j]";
    draft.inputs.push_back({"indices", tasks::NumberType::kInt32, {size.rows}, {"rows"}, permutation, {}});
    draft.outputs = {
        {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
    draft.solutions = plane_solutions(
        {.arrays = {"x", "indices", "y"},
         .lines = "$y[$indices[$row] * $columns + $column] = $x[$row * $columns + $column];\n",
         .noun = "element of the input"},
        stream);
  }
  draft.notes = {"$indices is a permutation, so that no two writes meet"};
  draft.oracle = {"scatter", base::Json::object(), ""};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_scatter_permutation;
const GymFamily kFamily_scatter_permutation = {"scatter_permutation", "indexing", draw_scatter_permutation};

}  // namespace cuset::gym
