// The exponential moving average along each row, which begins with the first element.
#include "gym/solutions/draws.h"
#include "gym/solutions/scan_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_moving_average(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 24, 256);
  const double decay = static_cast<double>(whole_between(stream, 8, 18)) / 20;
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal(0.5));
  draft.scalars = {{"decay", decay}};
  draft.titles = {"the exponential moving average of each row of $x",
                  "an exponentially smoothed copy of every row",
                  "exponential smoothing along the last axis of $x", "the EMA of each row of $x"};
  draft.formula = "$y[i][0] = $x[i][0], then $y[i][j] = $decay * $y[i][j-1] + (1 - $decay) * $x[i][j]";
  draft.notes = {"$decay is {decay}", "the average begins with the first element of the row"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-5, 2e-5}}};
  draft.oracle = {
      "recurrence", {{"axis", 1}, {"decay", decay}, {"scale", 1 - decay}, {"from_first", true}}, ""};

  ScanWork work;
  work.decays = true;
  work.scalars = {"decay"};
  work.element = "($j > 0 ? 1.0f - $decay : 1.0f) * $x[$row * $columns + $j]";
  work.columns = size.columns;
  draft.solutions = scan_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_moving_average;
const GymFamily kFamily_moving_average = {"moving_average", "scans", draw_moving_average};

}  // namespace cuset::gym
