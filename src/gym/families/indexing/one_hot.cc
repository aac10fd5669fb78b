// A row for each label with one place marked.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_one_hot(base::RandomStream& stream) {
  const int64_t rows = whole_between(stream, 40, 300);
  const int64_t classes = whole_between(stream, 5, 100);
  const bool smooth = one_in(stream, 2);
  GymDraft draft;
  draft.sizes = {{"rows", rows}, {"classes", classes}};
  draft.scalars = {{"hit", smooth ? draw_constant(stream, 0.8, 0.95) : 1.0},
                   {"rest", smooth ? draw_constant(stream, 0.01, 0.1, 100) : 0.0}};
  draft.titles = {smooth ? "the smoothed one-hot rows of $labels" : "the one-hot rows of $labels",
                  "a matrix with $hit at the label of each row, $rest elsewhere",
                  "an indicator matrix of $classes classes", "$labels turned into rows of $classes numbers"};
  draft.formula = "$y[i][j] = ($labels[i] == j ? $hit : $rest)";
  draft.notes = {"$hit is {hit}", "$rest is {rest}"};
  draft.inputs = {{"labels", tasks::NumberType::kInt32, {rows}, {"rows"}, indices_below(classes), {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {rows, classes}, {"rows", "classes"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"loops", {{"expression", "where($labels[i0] == i1, {hit}, {rest})"}}, ""};
  PlaneWork work{.arrays = {"labels", "y"},
                 .sizes = {"rows", "classes"},
                 .scalars = {"hit", "rest"},
                 .columns = "$classes"};
  work.lines = "$y[$row * $classes + $column] = $labels[$row] == $column ? $hit : $rest;\n";
  draft.solutions = plane_solutions(work, stream);
  GymSolution rows_only;
  rows_only.style = "thread_per_row";
  rows_only.constants = {{"block", power_between(stream, 32, 128)}};
  rows_only.kernels = {{.arrays = {"labels", "y"},
                        .sizes = {"rows", "classes"},
                        .scalars = {"hit", "rest"},
                        .body = "int $row = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "if ($row >= $rows) return;\n"
                                "for (int $j = 0; $j < $classes; ++$j) $y[$row * $classes + $j] = $rest;\n"
                                "$y[$row * $classes + $labels[$row]] = $hit;\n",
                        .grid = "($rows + $block - 1) / $block",
                        .block = "$block"}};
  rows_only.reasoning = {
      "one thread fills one row and then marks its label", "",
      "threads of a warp write rows that lie $classes apart, which is slower but needs one load per row"};
  draft.solutions.push_back(rows_only);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_one_hot;
const GymFamily kFamily_one_hot = {"one_hot", "indexing", draw_one_hot};

}  // namespace cuset::gym
