// The sum, or the number, of the elements of each row above or below a threshold.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"
#include "gym/solutions/oracle_chain.h"

namespace cuset::gym {
namespace {

GymDraft draw_conditional_row_sum(base::RandomStream& stream) {
  const bool counts = one_in(stream, 3);
  const bool above = one_in(stream, 2);
  const MatrixSize size = draw_matrix(stream);
  const tasks::NumberType result = counts ? tasks::NumberType::kInt32 : tasks::NumberType::kFloat32;
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.scalars = {{"limit", 0.125 * static_cast<double>(whole_between(stream, -6, 6)) + 0.0625}};
  const std::string side = above ? "above" : "below";
  const std::string what = counts ? "number" : "sum";
  draft.titles = {"the " + what + " of the elements " + side + " $limit in each row of $x",
                  "a conditional row " + what + " of $x",
                  "for every row of $x the " + what + " of elements " + side + " a threshold",
                  "the masked " + what + " of each row"};
  const std::string test = std::string(above ? " > " : " < ") + "$limit";
  draft.formula = "$y[i] = " + (counts ? "number of j with $x[i][j]" + test
                                       : "sum over j with $x[i][j]" + test + " of $x[i][j]");
  draft.notes = {"$limit is {limit}"};
  draft.outputs = {{"y", result, {size.rows}, {"rows"}, {}, {1e-4, 2e-5}}};
  const std::string expression =
      "where($x" + std::string(above ? " > " : " < ") + "{limit}, " + (counts ? "1" : "$x") + ", 0)";
  draft.oracle =
      chain_of({{"part", {size.rows, size.columns}, "map", {"$x"}, {{"expression", expression}}},
                {.native = "reduce", .inputs = {"part"}, .parameters = {{"op", "sum"}, {"axes", 1}}}});

  LaneWork work = row_work(result, Fold::kSum, counts ? "count" : "sum", counts ? "$count" : "$sum");
  const std::string element = "$x[$row * $columns + $j]";
  work.scalars = {"limit"};
  work.folds[0].term = element + test + " ? " + (counts ? "1 : 0" : element + " : 0.0f");
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_conditional_row_sum;
const GymFamily kFamily_conditional_row_sum = {"conditional_row_sum", "reductions", draw_conditional_row_sum};

}  // namespace cuset::gym
