// The largest or smallest element of each row so far.
#include "gym/solutions/draws.h"
#include "gym/solutions/scan_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_running_maximum(base::RandomStream& stream) {
  const bool largest = !one_in(stream, 3);
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kInt32});
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft =
      draft_on_matrix(size, type, type == tasks::NumberType::kInt32 ? whole_numbers(-2e9, 2e9) : normal());
  const std::string extreme = largest ? "maximum" : "minimum";
  draft.titles = {
      "the running " + extreme + " of each row of $x", "the cumulative " + extreme + " along every row",
      "an inclusive scan of the rows of $x by the " + extreme,
      std::string("the ") + (largest ? "largest" : "smallest") + " element so far in each row of $x"};
  draft.formula = std::string("$y[i][j] = ") + (largest ? "max" : "min") + " over k <= j of $x[i][k]";
  draft.outputs = {{"y", type, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"scan", {{"op", largest ? "max" : "min"}, {"axis", 1}}, ""};

  ScanWork work;
  work.type = type;
  work.fold = largest ? Fold::kMax : Fold::kMin;
  work.columns = size.columns;
  draft.solutions = scan_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_running_maximum;
const GymFamily kFamily_running_maximum = {"running_maximum", "scans", draw_running_maximum};

}  // namespace cuset::gym
