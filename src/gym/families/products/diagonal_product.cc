// A diagonal matrix times a matrix, from the left or the right.
#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_diagonal_product(base::RandomStream& stream) {
  const bool left = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft;
  const std::string noun = left ? "row" : "column";
  draft.titles = {left ? "the product of the diagonal matrix of $d with $a"
                       : "the product of $a with the diagonal matrix of $d",
                  "every " + noun + " of $a scaled by its number of $d",
                  "a scaling of the " + noun + "s of $a by $d",
                  left ? "diag($d) times $a" : "$a times diag($d)"};
  draft.formula = left ? "$y[i][j] = $d[i] * $a[i][j]" : "$y[i][j] = $a[i][j] * $d[j]";
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.inputs = {
      {"a", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, normal(), {}}};
  if (left) {
    draft.inputs.push_back({"d", tasks::NumberType::kFloat32, {size.rows, 1}, {"rows", "1"}, normal(), {}});
  } else {
    draft.inputs.push_back({"d", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, normal(), {}});
  }
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-6, 1e-5}}};
  draft.oracle = {"map", {{"expression", "$a * $d"}}, ""};

  PlaceWork work;
  work.arrays = {"a", "d", "y"};
  work.sizes = {"rows", "columns"};
  work.planes = "$rows";
  work.places = "$columns";
  work.plane = "row";
  work.place = "column";
  work.noun = "row";
  work.lines = std::string("$y[$row * $columns + $column] = $a[$row * $columns + $column] * $d[") +
               (left ? "$row" : "$column") + "];\n";
  draft.solutions = place_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_diagonal_product;
const GymFamily kFamily_diagonal_product = {"diagonal_product", "products", draw_diagonal_product};

}  // namespace cuset::gym
