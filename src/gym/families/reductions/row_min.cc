// The smallest number of each row.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_min(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  const bool whole = type == tasks::NumberType::kInt32;
  GymDraft draft = draft_on_matrix(size, type, whole ? whole_numbers(-100000, 100000) : normal(3));
  draft.titles = {"the smallest element of each row of $x", "row minima of a matrix",
                  "the minimum over every row", "the reduction of $x along its last axis by the minimum"};
  draft.formula = "$y[i] = min over j of $x[i][j]";
  draft.outputs = {{"y", type, {size.rows}, {"rows"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"reduce", {{"op", "min"}, {"axes", 1}}, ""};
  draft.solutions = lane_solutions(row_work(type, Fold::kMin, "best", "$best"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_min;
const GymFamily kFamily_row_min = {"row_min", "reductions", draw_row_min, true};

}  // namespace cuset::gym
