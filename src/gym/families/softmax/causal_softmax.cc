// The softmax of each row of a square matrix up to its diagonal, as in attention.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"
#include "gym/solutions/oracle_chain.h"

namespace cuset::gym {
namespace {

GymDraft draw_causal_softmax(base::RandomStream& stream) {
  const int64_t n = whole_between(stream, 24, 120);
  GymDraft draft;
  draft.titles = {"the causal softmax of a square matrix of scores", "a row-wise softmax under a causal mask",
                  "masked attention weights: row i sees columns 0 to i only",
                  "the softmax of the lower triangle of each row of $x"};
  draft.formula = "$y[i][j] = exp($x[i][j]) / sum over k <= i of exp($x[i][k]) for j <= i, and 0 for j > i";
  draft.notes = {"elements above the diagonal do not count, and are 0 in $y"};
  draft.sizes = {{"n", n}};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {n, n}, {"n", "n"}, normal(0, 1.5), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {n, n}, {"n", "n"}, {}, {1e-7, 2e-5}}};
  draft.oracle = chain_of(
      {{"seen", {n, n}, "triangle", {"$x"}, {{"value", -1e30}}}, {.native = "softmax", .inputs = {"seen"}}});

  LaneWork work;
  const std::string at = "[$row * $n + $j]";
  work.arrays = {"x", "y"};
  work.sizes = {"n"};
  work.lanes = "$n";
  work.length = "$row + 1";
  work.each_length = "$n";
  work.folds = {{"largest", Fold::kMax, "$x" + at}, {"sum", Fold::kSum, "expf($x" + at + " - $largest)"}};
  work.each = "$y" + at + " = $j <= $row ? expf($x" + at + " - $largest) / $sum : 0.0f;\n";
  work.is_softmax = true;
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_causal_softmax;
const GymFamily kFamily_causal_softmax = {"causal_softmax", "softmax", draw_causal_softmax};

}  // namespace cuset::gym
