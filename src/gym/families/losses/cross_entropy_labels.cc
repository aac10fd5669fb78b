// Cross entropy of rows of scores with the label of each row.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_cross_entropy_labels(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 5, 200);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, large_scores(2));
  draft.titles = {"the cross entropy of each row of scores with its label",
                  "the unreduced cross-entropy loss of $x and $labels",
                  "the negative log-likelihood of the labelled class, row by row",
                  "the softmax cross entropy of every row of $x"};
  draft.formula = "$y[i] = log(sum over j of exp($x[i][j])) - $x[i][$labels[i]]";
  draft.notes = {"subtract the largest score of a row before exponentials are taken"};
  draft.inputs.push_back({"labels", tasks::NumberType::kInt32, {size.rows}, {"rows"}, {}, {}});
  draft.inputs[1].domain = whole_numbers(0, static_cast<double>(size.columns));
  draft.inputs[1].domain.kind = tasks::Domain::Kind::kIndex;
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-5, 1e-4}}};
  draft.oracle = {"cross_entropy", {{"reduction", "none"}}, ""};
  LaneWork work;
  work.arrays = {"x", "labels", "y"};
  work.folds = {{"largest", Fold::kMax, "$x[$row * $columns + $j]", ""},
                {"sum", Fold::kSum, "expf($x[$row * $columns + $j] - $largest)", ""}};
  work.once = "$y[$row] = logf($sum) + $largest - $x[$row * $columns + $labels[$row]];";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_cross_entropy_labels;
const GymFamily kFamily_cross_entropy_labels = {"cross_entropy_labels", "losses", draw_cross_entropy_labels};

}  // namespace cuset::gym
