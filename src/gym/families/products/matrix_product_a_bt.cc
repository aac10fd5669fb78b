// The product of a matrix with a transposed one.
#include "gym/solutions/draws.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_matrix_product_a_bt(base::RandomStream& stream) {
  GymDraft draft = draft_on_factors(draw_product(stream), tasks::NumberType::kFloat32, false, true);
  draft.titles = {"the product of $a with the transpose of $b", "$a times $b transposed",
                  "the matrix product A B^T of $a and $b", "all dot products of rows of $a with rows of $b"};
  draft.formula = "$c[i][j] = sum over k of $a[i][k] * $b[j][k]";
  draft.oracle = {"matmul", {{"transpose_b", true}}, ""};

  ProductWork work;
  work.right = "$b[$column * $inner + $k]";
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_matrix_product_a_bt;
const GymFamily kFamily_matrix_product_a_bt = {"matrix_product_a_bt", "products", draw_matrix_product_a_bt,
                                               true};

}  // namespace cuset::gym
