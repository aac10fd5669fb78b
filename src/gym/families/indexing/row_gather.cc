// Rows of a table looked up by their numbers, as in an embedding.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_gather(base::RandomStream& stream) {
  const int64_t entries = whole_between(stream, 40, 500);
  const int64_t count = whole_between(stream, 30, 300);
  const int64_t columns = whole_between(stream, 8, 100);
  GymDraft draft;
  draft.titles = {"the rows of $table that $indices names", "an embedding lookup",
                  "rows gathered from $table by $indices", "one row of $table for every entry of $indices"};
  draft.formula = "$y[i][j] = $table[$indices[i]][j]";
  draft.sizes = {{"entries", entries}, {"count", count}, {"columns", columns}};
  draft.inputs = {
      {"table", tasks::NumberType::kFloat32, {entries, columns}, {"entries", "columns"}, normal(), {}},
      {"indices", tasks::NumberType::kInt32, {count}, {"count"}, indices_below(entries), {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {count, columns}, {"count", "columns"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"gather", base::Json::object(), ""};
  draft.solutions = plane_solutions(
      {.arrays = {"table", "indices", "y"},
       .sizes = {"count", "columns"},
       .rows = "$count",
       .lines = "$y[$row * $columns + $column] = $table[$indices[$row] * $columns + $column];\n"},
      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_gather;
const GymFamily kFamily_row_gather = {"row_gather", "indexing", draw_row_gather};

}  // namespace cuset::gym
