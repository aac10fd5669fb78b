// The running sum along each row without the element itself.
#include "gym/solutions/draws.h"
#include "gym/solutions/scan_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_exclusive_prefix_sum_rows(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(
      size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-100, 100) : normal(0.25));
  draft.titles = {"the exclusive prefix sum of each row of $x",
                  "the exclusive cumulative sum along every row", "an exclusive scan of the rows of $x",
                  "the sum of all elements before each one in its row"};
  draft.formula = "$y[i][j] = sum over k < j of $x[i][k]";
  draft.notes = {"the scan is exclusive: $y[i][0] is 0"};
  draft.outputs = {{"y", type, {size.rows, size.columns}, {"rows", "columns"}, {}, {5e-5, 1e-5}}};
  draft.oracle = {"prefix_sum", {{"axis", 1}, {"inclusive", false}}, ""};

  ScanWork work;
  work.type = type;
  work.exclusive = true;
  work.columns = size.columns;
  draft.solutions = scan_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_exclusive_prefix_sum_rows;
const GymFamily kFamily_exclusive_prefix_sum_rows = {"exclusive_prefix_sum_rows", "scans",
                                                     draw_exclusive_prefix_sum_rows, true};

}  // namespace cuset::gym
