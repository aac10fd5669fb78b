// A matrix times a vector, perhaps scaled and added to another.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_matrix_vector(base::RandomStream& stream) {
  const bool added = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft;
  draft.titles = {"the matrix-vector product of $a and $v", "$a times the vector $v",
                  "the dot product of every row of $a with $v", "a matrix-vector multiplication"};
  draft.formula = "$y[i] = sum over j of $a[i][j] * $v[j]";
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.inputs = {
      {"a", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, normal(), {}},
      {"v", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {2e-4, 2e-5}}};
  draft.oracle = {"matmul", {{"a", "$a"}, {"b", "$v"}}, ""};

  LaneWork work = row_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "$sum");
  work.arrays = {"a", "v", "y"};
  work.folds[0].term = "$a[$row * $columns + $j] * $v[$j]";
  if (added) {
    draft.titles[3] = "a matrix-vector multiplication with $z added";
    draft.formula += " + $alpha * $z[i]";
    draft.scalars = {{"alpha", 0.25 * static_cast<double>(whole_between(stream, 2, 16))}};
    draft.notes = {"$alpha is {alpha}", "$z times $alpha is added to the product"};
    draft.inputs.push_back(
        {"z", tasks::NumberType::kFloat32, {size.rows, 1}, {"rows", "1"}, normal(0, 4), {}});
    draft.oracle.parameters["then"] = "result + {alpha} * $z";
    work.arrays = {"a", "v", "z", "y"};
    work.scalars = {"alpha"};
    work.once = "$y[$row] = $sum + $alpha * $z[$row];\n";
  }
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_matrix_vector;
const GymFamily kFamily_matrix_vector = {"matrix_vector", "products", draw_matrix_vector};

}  // namespace cuset::gym
