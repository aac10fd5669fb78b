// A matrix times a vector for each of a batch.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_batched_matrix_vector(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 8);
  const int64_t rows = whole_between(stream, 16, 64);
  const int64_t columns = whole_between(stream, 16, 96);
  GymDraft draft;
  draft.titles = {"the batched matrix-vector product of $a and $v",
                  "each matrix of $a times its own vector of $v", "{batches} matrix-vector products",
                  "a matrix-vector multiplication for every member of a batch"};
  draft.formula = "$y[n][i] = sum over j of $a[n][i][j] * $v[n][j]";
  draft.sizes = {{"batches", batch}, {"rows", rows}, {"columns", columns}};
  draft.inputs = {
      {"a",
       tasks::NumberType::kFloat32,
       {batch, rows, columns},
       {"batches", "rows", "columns"},
       normal(),
       {}},
      {"v", tasks::NumberType::kFloat32, {batch, columns, 1}, {"batches", "columns", "1"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {batch, rows}, {"batches", "rows"}, {}, {2e-4, 2e-5}}};
  draft.oracle = {"matmul", base::Json::object(), ""};

  LaneWork work = row_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "$sum");
  work.arrays = {"a", "v", "y"};
  work.sizes = {"batches", "rows", "columns"};
  work.lanes = "$batches * $rows";
  work.folds[0].term = "$a[$row * $columns + $j] * $v[$row / $rows * $columns + $j]";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_batched_matrix_vector;
const GymFamily kFamily_batched_matrix_vector = {"batched_matrix_vector", "products",
                                                 draw_batched_matrix_vector};

}  // namespace cuset::gym
