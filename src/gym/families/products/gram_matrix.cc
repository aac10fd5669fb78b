// The products of all pairs of columns of a matrix.
#include "gym/solutions/draws.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_gram_matrix(base::RandomStream& stream) {
  const int64_t rows = whole_between(stream, 16, 96);
  const int64_t columns = whole_between(stream, 16, 72);
  GymDraft draft = draft_on_matrix({rows, columns}, tasks::NumberType::kFloat32, normal(0.25));
  draft.titles = {"the Gram matrix of the columns of $x", "$x transposed times $x",
                  "all dot products of pairs of columns of $x", "the matrix product X^T X"};
  draft.formula = "$c[i][j] = sum over k of $x[k][i] * $x[k][j]";
  draft.outputs = {
      {"c", tasks::NumberType::kFloat32, {columns, columns}, {"columns", "columns"}, {}, {5e-5, 1e-5}}};
  draft.oracle = {"matmul", {{"a", "$x"}, {"b", "$x"}, {"transpose_a", true}}, ""};

  ProductWork work;
  work.arrays = {"x", "c"};
  work.sizes = {"rows", "columns"};
  work.rows = "$columns";
  work.inner = "$rows";
  work.left = "$x[$k * $columns + $row]";
  work.right = "$x[$k * $columns + $column]";
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_gram_matrix;
const GymFamily kFamily_gram_matrix = {"gram_matrix", "products", draw_gram_matrix};

}  // namespace cuset::gym
