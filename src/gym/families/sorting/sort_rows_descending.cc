// Each row in descending order.
#include "gym/solutions/draws.h"
#include "gym/solutions/row_sort.h"

namespace cuset::gym {
namespace {

GymDraft draw_sort_rows_descending(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = {whole_between(stream, 16, 80), whole_between(stream, 24, 128)};
  GymDraft draft =
      draft_on_matrix(size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal());
  draft.titles = {"every row of $x in descending order", "the rows of $x, each sorted from the top down",
                  "a row-wise descending sort of a matrix",
                  "the sorting of each row of $x from largest to smallest"};
  draft.formula = "$y[i] = the elements of $x[i] with $y[i][j] >= $y[i][j+1]";
  draft.outputs = {{"y", type, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"sort", {{"axis", 1}, {"descending", true}}, ""};

  RowSort work;
  work.type = type;
  work.descending = true;
  work.columns = size.columns;
  draft.solutions = row_sort_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_sort_rows_descending;
const GymFamily kFamily_sort_rows_descending = {"sort_rows_descending", "sorting", draw_sort_rows_descending};

}  // namespace cuset::gym
