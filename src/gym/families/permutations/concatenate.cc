// Two matrices side by side or one above the other.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_concatenate(base::RandomStream& stream) {
  const bool beside = one_in(stream, 2);
  const int64_t rows = whole_between(stream, 12, 90);
  const int64_t columns = whole_between(stream, 12, 90);
  const int64_t more = whole_between(stream, 8, 80);
  GymDraft draft;
  draft.sizes = {
      {"rows", rows}, {"columns", columns}, {"more", more}, {"joined", (beside ? columns : rows) + more}};
  draft.inputs = {{"a", tasks::NumberType::kFloat32, {rows, columns}, {"rows", "columns"}, normal(), {}}};
  if (beside) {
    draft.titles = {"$a and $b side by side", "the concatenation of $a and $b along the columns",
                    "each row of $a followed by that of $b", "a matrix of the columns of $a and $b"};
    draft.formula = "$y[i][j] = (j < $columns ? $a[i][j] : $b[i][j - $columns])";
    draft.inputs.push_back({"b", tasks::NumberType::kFloat32, {rows, more}, {"rows", "more"}, normal(), {}});
    draft.outputs = {
        {"y", tasks::NumberType::kFloat32, {rows, columns + more}, {"rows", "joined"}, {}, {1e-7, 1e-6}}};
    draft.oracle = {
        "loops", {{"expression", "where(i1 < {columns}, $a[i0, i1], $b[i0, i1 - {columns}])"}}, ""};
  } else {
    draft.titles = {"$a above $b", "the concatenation of $a and $b along the rows",
                    "the rows of $a followed by the rows of $b", "$a and $b stacked into one matrix"};
    draft.formula = "$y[i][j] = (i < $rows ? $a[i][j] : $b[i - $rows][j])";
    draft.inputs.push_back(
        {"b", tasks::NumberType::kFloat32, {more, columns}, {"more", "columns"}, normal(), {}});
    draft.outputs = {
        {"y", tasks::NumberType::kFloat32, {rows + more, columns}, {"joined", "columns"}, {}, {1e-7, 1e-6}}};
    draft.oracle = {"loops", {{"expression", "where(i0 < {rows}, $a[i0, i1], $b[i0 - {rows}, i1])"}}, ""};
  }
  PlaneWork work{.arrays = {"a", "b", "y"}, .sizes = {"rows", "columns", "more", "joined"}};
  (beside ? work.columns : work.rows) = "$joined";
  work.lines =
      beside
          ? "$y[$row * $joined + $column] =\n"
            "    $column < $columns ? $a[$row * $columns + $column] : $b[$row * $more + $column - $columns];\n"
          : "$y[$row * $columns + $column] =\n"
            "    $row < $rows ? $a[$row * $columns + $column] : $b[($row - $rows) * $columns + $column];\n";
  draft.solutions = plane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_concatenate;
const GymFamily kFamily_concatenate = {"concatenate", "permutations", draw_concatenate};

}  // namespace cuset::gym
