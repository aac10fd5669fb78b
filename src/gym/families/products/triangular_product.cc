// The product of a lower triangular matrix with another one.
#include "gym/solutions/draws.h"
#include "gym/solutions/oracle_chain.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_triangular_product(base::RandomStream& stream) {
  FactorSizes size = draw_product(stream);
  size.inner = size.rows;
  GymDraft draft = draft_on_factors(size, tasks::NumberType::kFloat32, false, false);
  draft.titles = {"the product of the lower triangle of $a with $b", "a triangular matrix product",
                  "$a times $b, of $a only what lies on and below the diagonal",
                  "the multiplication of a lower triangular matrix with $b"};
  draft.formula = "$c[i][j] = sum over k <= i of $a[i][k] * $b[k][j]";
  draft.notes = {"$a is square; what it holds above the diagonal does not count"};
  draft.sizes = {{"rows", size.rows}, {"columns", size.columns}};
  draft.inputs[0].sides = {"rows", "rows"};
  draft.inputs[1].sides = {"rows", "columns"};
  draft.oracle = chain_of({{"lower", {size.rows, size.rows}, "triangle", {"$a"}},
                           {.native = "matmul", .inputs = {"lower", "$b"}}});

  ProductWork work;
  work.sizes = {"rows", "columns"};
  work.inner = "$rows";
  work.left = "$a[$row * $rows + $k]";
  work.last = "$row + 1";
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_triangular_product;
const GymFamily kFamily_triangular_product = {"triangular_product", "products", draw_triangular_product};

}  // namespace cuset::gym
