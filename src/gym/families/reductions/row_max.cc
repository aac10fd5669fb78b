// The largest number of each row.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_max(base::RandomStream& stream) {
  const tasks::NumberType type = one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32,
                                                 tasks::NumberType::kFloat64, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  const bool whole = type == tasks::NumberType::kInt32;
  GymDraft draft = draft_on_matrix(size, type, whole ? whole_numbers(-2e9, 2e9) : normal(-3));
  draft.titles = {"the largest element of each row of $x", "row maxima of a matrix",
                  "the maximum over every row", "the reduction of $x along its last axis by the maximum"};
  draft.formula = "$y[i] = max over j of $x[i][j]";
  draft.outputs = {{"y", type, {size.rows}, {"rows"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"reduce", {{"op", "max"}, {"axes", 1}}, ""};
  draft.solutions = lane_solutions(row_work(type, Fold::kMax, "best", "$best"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_max;
const GymFamily kFamily_row_max = {"row_max", "reductions", draw_row_max};

}  // namespace cuset::gym
