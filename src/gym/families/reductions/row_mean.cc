// The mean of each row, in single or double precision.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_mean(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kFloat64});
  const MatrixSize size = draw_matrix(stream);
  GymDraft draft = draft_on_matrix(size, type, normal(0.25 * static_cast<double>(stream.below(5))));
  draft.titles = {"the mean of each row of $x", "row averages of a matrix", "the average over every row",
                  "the arithmetic mean of $x along its last axis"};
  draft.formula = "$y[i] = (sum over j of $x[i][j]) / $columns";
  const bool is_double = type == tasks::NumberType::kFloat64;
  draft.outputs = {{"y",
                    type,
                    {size.rows},
                    {"rows"},
                    {},
                    is_double ? tasks::Tolerance{1e-12, 1e-11} : tasks::Tolerance{2e-6, 1e-5}}};
  draft.oracle = {"reduce", {{"op", "mean"}, {"axes", 1}}, ""};
  draft.solutions = lane_solutions(row_work(type, Fold::kSum, "sum", "$sum / $columns"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_mean;
const GymFamily kFamily_row_mean = {"row_mean", "reductions", draw_row_mean};

}  // namespace cuset::gym
