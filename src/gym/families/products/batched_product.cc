// The products of pairs of matrices, one for each of a batch.
#include "gym/solutions/draws.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_batched_product(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 8);
  const FactorSizes size = draw_product(stream, 40);
  GymDraft draft = draft_on_factors(size, tasks::NumberType::kFloat32, false, false);
  draft.titles = {"the batched matrix product of $a and $b",
                  "{batches} matrix multiplications, one per batch",
                  "the product of each matrix of $a with the one of $b at the same place",
                  "a batched matrix multiplication"};
  draft.formula = "$c[n][i][j] = sum over k of $a[n][i][k] * $b[n][k][j]";
  draft.sizes.insert(draft.sizes.begin(), {"batches", batch});
  for (GymArray* array : {&draft.inputs[0], &draft.inputs[1], &draft.outputs[0]}) {
    array->shape.insert(array->shape.begin(), batch);
    array->sides.insert(array->sides.begin(), "batches");
  }
  draft.oracle = {"matmul", base::Json::object(), ""};

  ProductWork work;
  work.sizes.insert(work.sizes.begin(), "batches");
  work.batches = "$batches";
  work.left = "$a[($batch * $rows + $row) * $inner + $k]";
  work.right = "$b[($batch * $inner + $k) * $columns + $column]";
  work.store = "$c[($batch * $rows + $row) * $columns + $column] = $acc;\n";
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_batched_product;
const GymFamily kFamily_batched_product = {"batched_product", "products", draw_batched_product};

}  // namespace cuset::gym
