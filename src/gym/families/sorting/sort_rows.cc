// Each row in ascending order.
#include "gym/solutions/draws.h"
#include "gym/solutions/row_sort.h"

namespace cuset::gym {
namespace {

GymDraft draw_sort_rows(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = {whole_between(stream, 16, 80), whole_between(stream, 24, 128)};
  GymDraft draft =
      draft_on_matrix(size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal());
  draft.titles = {"every row of $x in ascending order", "the rows of $x, each sorted",
                  "a row-wise sort of a matrix", "the sorting of each row of $x from smallest to largest"};
  draft.formula = "$y[i] = the elements of $x[i] with $y[i][j] <= $y[i][j+1]";
  draft.outputs = {{"y", type, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"sort", {{"axis", 1}}, ""};

  RowSort work;
  work.type = type;
  work.columns = size.columns;
  draft.solutions = row_sort_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_sort_rows;
const GymFamily kFamily_sort_rows = {"sort_rows", "sorting", draw_sort_rows};

}  // namespace cuset::gym
