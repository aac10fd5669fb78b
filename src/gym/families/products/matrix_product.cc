// The plain product of two matrices, also of half-precision ones.
#include "gym/solutions/draws.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_matrix_product(base::RandomStream& stream) {
  const tasks::NumberType type = one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32,
                                                 tasks::NumberType::kFloat32, tasks::NumberType::kFloat16});
  const FactorSizes size = draw_product(stream);
  GymDraft draft = draft_on_factors(size, type, false, false);
  draft.titles = {"the matrix product of $a and $b", "a matrix multiplication", "$a times $b",
                  "the product of a {rows} x {inner} and a {inner} x {columns} matrix"};
  draft.formula = "$c[i][j] = sum over k of $a[i][k] * $b[k][j]";
  if (type == tasks::NumberType::kFloat16)
    draft.notes = {"$a and $b are in half precision, sums and $c in float32"};
  draft.oracle = {"matmul", base::Json::object(), ""};

  ProductWork work;
  if (type == tasks::NumberType::kFloat16) work.headers = {"cuda_fp16.h"};
  work.left = loaded(type, work.left);
  work.right = loaded(type, work.right);
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_matrix_product;
const GymFamily kFamily_matrix_product = {"matrix_product", "products", draw_matrix_product};

}  // namespace cuset::gym
