// The sum of each row, also of half-precision and of whole numbers.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_sum(base::RandomStream& stream) {
  const tasks::NumberType type = one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32,
                                                 tasks::NumberType::kFloat16, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream);
  const bool whole = type == tasks::NumberType::kInt32;
  GymDraft draft = draft_on_matrix(size, type, whole ? whole_numbers(-1000, 1000) : normal());
  draft.titles = {"the sum of each row of $x", "row sums of a matrix", "a sum over the columns of every row",
                  "the reduction of $x along its last axis by addition"};
  draft.formula = "$y[i] = sum over j of $x[i][j]";
  if (type == tasks::NumberType::kFloat16) draft.notes = {"$x is in half precision, the sums are float32"};
  draft.outputs = {
      {"y", whole ? type : tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-4, 2e-5}}};
  draft.oracle = {"reduce", {{"op", "sum"}, {"axes", 1}}, ""};
  draft.solutions = lane_solutions(row_work(type, Fold::kSum, "sum", "$sum"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_sum;
const GymFamily kFamily_row_sum = {"row_sum", "reductions", draw_row_sum};

}  // namespace cuset::gym
