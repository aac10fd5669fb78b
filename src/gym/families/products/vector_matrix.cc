// A vector times a matrix.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_vector_matrix(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft;
  draft.titles = {"the vector-matrix product of $v and $a", "the row vector $v times $a",
                  "the dot product of every column of $a with $v", "$a transposed times the vector $v"};
  draft.formula = "$y[j] = sum over i of $v[i] * $a[i][j]";
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.inputs = {
      {"a", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, normal(), {}},
      {"v", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, {}, {2e-4, 2e-5}}};
  draft.oracle = {"matmul", {{"a", "$v"}, {"b", "$a"}}, ""};

  LaneWork work = column_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "$sum");
  work.arrays = {"a", "v", "y"};
  work.folds[0].term = "$v[$i] * $a[$i * $columns + $column]";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_vector_matrix;
const GymFamily kFamily_vector_matrix = {"vector_matrix", "products", draw_vector_matrix};

}  // namespace cuset::gym
