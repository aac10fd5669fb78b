// Each row stretched to the range from 0 to 1.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"
#include "gym/solutions/oracle_chain.h"

namespace cuset::gym {
namespace {

GymDraft draw_min_max_scale(base::RandomStream& stream) {
  const MatrixSize size = draw_matrix(stream, 24, 256);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal(0.5));
  draft.scalars = {{"eps", one_of(stream, {1e-3, 1e-2, 5e-2})}};
  draft.titles = {"every row of $x scaled to the range 0 to 1", "the min-max normalization of each row of $x",
                  "rows of $x shifted by their minimum and divided by their spread",
                  "row-wise min-max scaling"};
  draft.formula = "$y[i][j] = ($x[i][j] - min of row i) / (max of row i - min of row i + $eps)";
  draft.notes = {"$eps is {eps}"};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {2e-6, 1e-5}}};
  const auto extreme = [&](const std::string& op) {
    return OracleStep{
        op + "_of_row", {size.rows, 1}, "reduce", {"$x"}, {{"op", op}, {"axes", 1}, {"keepdims", true}}};
  };
  draft.oracle =
      chain_of({extreme("min"),
                extreme("max"),
                {.native = "map",
                 .inputs = {"$x", "min_of_row", "max_of_row"},
                 .parameters = {{"expression", "($x - min_of_row) / (max_of_row - min_of_row + {eps})"}}}});

  LaneWork work;
  const std::string at = "[$row * $columns + $j]";
  work.arrays = {"x", "y"};
  work.scalars = {"eps"};
  work.folds = {{"smallest", Fold::kMin, "$x" + at}, {"largest", Fold::kMax, "$x" + at}};
  work.each = "$y" + at + " = ($x" + at + " - $smallest) / ($largest - $smallest + $eps);\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_min_max_scale;
const GymFamily kFamily_min_max_scale = {"min_max_scale", "normalization", draw_min_max_scale};

}  // namespace cuset::gym
