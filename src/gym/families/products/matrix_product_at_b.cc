// The product of a transposed matrix with another one.
#include "gym/solutions/draws.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_matrix_product_at_b(base::RandomStream& stream) {
  GymDraft draft = draft_on_factors(draw_product(stream), tasks::NumberType::kFloat32, true, false);
  draft.titles = {"the product of the transpose of $a with $b", "$a transposed times $b",
                  "the matrix product A^T B of $a and $b",
                  "a matrix multiplication whose left factor is stored transposed"};
  draft.formula = "$c[i][j] = sum over k of $a[k][i] * $b[k][j]";
  draft.oracle = {"matmul", {{"transpose_a", true}}, ""};

  ProductWork work;
  work.left = "$a[$k * $rows + $row]";
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_matrix_product_at_b;
const GymFamily kFamily_matrix_product_at_b = {"matrix_product_at_b", "products", draw_matrix_product_at_b};

}  // namespace cuset::gym
