// The softmax of each row at a temperature.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"
#include "gym/solutions/oracle_chain.h"

namespace cuset::gym {
namespace {

GymDraft draw_scaled_softmax(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 16, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.scalars = {
      {"temperature", 0.25 * static_cast<double>(one_of(stream, {1, 2, 3, 5, 6, 7, 8, 10, 12}))}};
  draft.titles = {"the softmax of each row of $x at a temperature", "a row-wise softmax of $x / $temperature",
                  "temperature-scaled softmax along the last axis of $x",
                  "probabilities of every row of $x, with the logits divided by $temperature"};
  draft.formula = "$y[i][j] = exp($x[i][j] / $temperature) / sum over k of exp($x[i][k] / $temperature)";
  draft.notes = {"$temperature is {temperature}"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 2e-5}}};
  draft.oracle =
      chain_of({{"logits", {size.rows, size.columns}, "map", {"$x"}, {{"expression", "$x / {temperature}"}}},
                {.native = "softmax", .inputs = {"logits"}}});

  LaneWork work;
  const std::string logit = "$x[$row * $columns + $j] / $temperature";
  work.arrays = {"x", "y"};
  work.scalars = {"temperature"};
  work.folds = {{"largest", Fold::kMax, logit}, {"sum", Fold::kSum, "expf(" + logit + " - $largest)"}};
  work.each = "$y[$row * $columns + $j] = expf(" + logit + " - $largest) / $sum;\n";
  work.is_softmax = true;
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_scaled_softmax;
const GymFamily kFamily_scaled_softmax = {"scaled_softmax", "softmax", draw_scaled_softmax};

}  // namespace cuset::gym
