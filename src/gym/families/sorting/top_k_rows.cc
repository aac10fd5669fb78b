// The k largest or smallest elements of each row, in order.
#include "gym/solutions/draws.h"
#include "gym/solutions/row_sort.h"

namespace cuset::gym {
namespace {

GymDraft draw_top_k_rows(base::RandomStream& stream) {
  const bool largest = !one_in(stream, 3);
  const MatrixSize size = {whole_between(stream, 24, 96), whole_between(stream, 32, 128)};
  const int64_t kept = whole_between(stream, 2, 16);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  const std::string what = largest ? "largest" : "smallest";
  draft.titles = {"the {kept} " + what + " elements of each row of $x",
                  "the top {kept} of every row by " + what + " value",
                  "a top-k selection of the " + what + " elements along the rows of $x",
                  "for each row its {kept} " + what + " elements in order"};
  draft.formula = "$y[i][j] = the j-th " + what + " element of $x[i], for j from 0 to $kept - 1";
  draft.notes = {largest ? "each row of $y is in descending order" : "each row of $y is in ascending order"};
  draft.sizes.push_back({"kept", kept});
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows, kept}, {"rows", "kept"}, {}, {1e-7, 1e-6}}};
  draft.oracle = {"sort", {{"axis", 1}, {"descending", largest}, {"k", kept}}, ""};

  RowSort work;
  work.descending = largest;
  work.columns = size.columns;
  work.kept = "kept";
  draft.solutions = row_sort_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_top_k_rows;
const GymFamily kFamily_top_k_rows = {"top_k_rows", "sorting", draw_top_k_rows};

}  // namespace cuset::gym
