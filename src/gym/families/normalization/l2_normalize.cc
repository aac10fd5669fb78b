// Each row or column divided by its Euclidean length.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_l2_normalize(base::RandomStream& stream) {
  const bool rows = !one_in(stream, 3);
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.scalars = {{"eps", one_of(stream, {1e-4, 1e-3, 1e-2})}};
  const std::string noun = rows ? "row" : "column";
  draft.titles = {"every " + noun + " of $x divided by its L2 norm",
                  "the L2 normalization of each " + noun + " of $x", noun + "s of $x scaled to unit length",
                  "unit vectors in the direction of each " + noun};
  draft.formula = rows ? "$y[i][j] = $x[i][j] / sqrt((sum over k of $x[i][k]^2) + $eps)"
                       : "$y[i][j] = $x[i][j] / sqrt((sum over k of $x[k][j]^2) + $eps)";
  draft.notes = {"$eps is {eps}"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-6, 2e-5}}};
  const auto length = static_cast<double>(rows ? size.columns : size.rows);
  draft.oracle = {"rms_norm",
                  {{"axes", rows ? 1 : 0},
                   {"eps", draft.scalars[0].value / length},
                   {"then", rows ? "result / sqrt({columns})" : "result / sqrt({rows})"}},
                  ""};

  LaneWork work = rows ? row_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "")
                       : column_work(tasks::NumberType::kFloat32, Fold::kSum, "sum", "");
  const std::string at = rows ? "[$row * $columns + $j]" : "[$i * $columns + $column]";
  work.scalars = {"eps"};
  work.folds[0].term = "$x" + at + " * $x" + at;
  work.folds[0].then = "float $scale = rsqrtf($sum + $eps);\n";
  work.once = "";
  work.each = "$y" + at + " = $x" + at + " * $scale;\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_l2_normalize;
const GymFamily kFamily_l2_normalize = {"l2_normalize", "normalization", draw_l2_normalize};

}  // namespace cuset::gym
