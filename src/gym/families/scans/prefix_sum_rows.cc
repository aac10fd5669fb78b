// The running sum along each row.
#include "gym/solutions/draws.h"
#include "gym/solutions/scan_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_prefix_sum_rows(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(
      size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-100, 100) : normal(0.25));
  draft.titles = {"the prefix sum of each row of $x", "the cumulative sum along every row",
                  "an inclusive scan of the rows of $x", "the running total of each row of $x"};
  draft.formula = "$y[i][j] = sum over k <= j of $x[i][k]";
  draft.notes = {"the scan is inclusive: $y[i][j] counts $x[i][j] too"};
  draft.outputs = {{"y", type, {size.rows, size.columns}, {"rows", "columns"}, {}, {5e-5, 1e-5}}};
  draft.oracle = {"prefix_sum", {{"axis", 1}}, ""};

  ScanWork work;
  work.type = type;
  work.columns = size.columns;
  draft.solutions = scan_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_prefix_sum_rows;
const GymFamily kFamily_prefix_sum_rows = {"prefix_sum_rows", "scans", draw_prefix_sum_rows};

}  // namespace cuset::gym
