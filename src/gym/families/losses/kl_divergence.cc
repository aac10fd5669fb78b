// How far rows of probabilities are from others, row by row.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_kl_divergence(base::RandomStream& stream) {
  const bool logarithms = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream, 8, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32,
                                   {.kind = tasks::Domain::Kind::kProbabilities, .parts = {}});
  draft.inputs[0].key = "p";
  const tasks::Shape shape = {size.rows, size.columns};
  draft.inputs.push_back(
      {"q", tasks::NumberType::kFloat32, shape, {"rows", "columns"}, draft.inputs[0].domain, {}});
  if (logarithms) draft.inputs[1].domain = uniform(-5, -0.1);
  draft.titles = {
      "the Kullback-Leibler divergence of each row", "the KL divergence between the rows of $p and $q",
      "the relative entropy of $p to $q, row by row",
      logarithms ? "the KL divergence of $p from log-probabilities $q" : "the KL divergence of $p from $q"};
  draft.formula = logarithms ? "$y[i] = sum over j of $p[i][j] * (log($p[i][j]) - $q[i][j])"
                             : "$y[i] = sum over j of $p[i][j] * (log($p[i][j]) - log($q[i][j]))";
  if (logarithms) draft.notes = {"$q already holds logarithms"};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-5, 1e-4}}};
  const std::string log_q = logarithms ? "$q[i0, k0]" : "log($q[i0, k0])";
  draft.oracle = {
      "loops",
      {{"expression", "$p[i0, k0] * (log($p[i0, k0]) - " + log_q + ")"}, {"over", {size.columns}}},
      ""};
  LaneWork work;
  work.arrays = {"p", "q", "y"};
  const std::string at = "[$row * $columns + $j]";
  work.folds = {
      {"sum", Fold::kSum,
       "$p" + at + " * (logf($p" + at + ") - " + (logarithms ? "$q" + at : "logf($q" + at + ")") + ")", ""}};
  work.once = "$y[$row] = $sum;";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_kl_divergence;
const GymFamily kFamily_kl_divergence = {"kl_divergence", "losses", draw_kl_divergence};

}  // namespace cuset::gym
