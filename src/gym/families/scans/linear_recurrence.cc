// The recurrence y = a y + b x along each row: a scan with a state.
#include "gym/solutions/draws.h"
#include "gym/solutions/scan_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_linear_recurrence(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.scalars = {{"decay", static_cast<double>(whole_between(stream, 6, 19)) / 20},
                   {"gain", 0.125 * static_cast<double>(whole_between(stream, 2, 16))}};
  draft.titles = {"a linear recurrence along each row of $x",
                  "the state of a first-order filter over every row",
                  "a scan of each row with the state h = decay * h + gain * x",
                  "the response of a leaky integrator to the rows of $x"};
  draft.formula = "$y[i][j] = $decay * $y[i][j-1] + $gain * $x[i][j], with $y[i][-1] = 0";
  draft.notes = {"$decay is {decay}", "$gain is {gain}"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {2e-5, 2e-5}}};
  draft.oracle = {
      "recurrence", {{"axis", 1}, {"decay", draft.scalars[0].value}, {"scale", draft.scalars[1].value}}, ""};

  ScanWork work;
  work.decays = true;
  work.scalars = {"decay", "gain"};
  work.element = "$gain * $x[$row * $columns + $j]";
  work.columns = size.columns;
  draft.solutions = scan_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_linear_recurrence;
const GymFamily kFamily_linear_recurrence = {"linear_recurrence", "scans", draw_linear_recurrence};

}  // namespace cuset::gym
