// A linear layer: a product, a bias, and perhaps a rectifier.
#include "gym/solutions/draws.h"
#include "gym/solutions/product.h"

namespace cuset::gym {
namespace {

GymDraft draw_linear_layer(base::RandomStream& stream) {
  const bool rectified = one_in(stream, 2);
  const FactorSizes size = draw_product(stream);
  GymDraft draft = draft_on_factors(size, tasks::NumberType::kFloat32, false, true);
  draft.inputs.push_back(
      {"bias", tasks::NumberType::kFloat32, {size.columns}, {"columns"}, normal(0, 2), {}});
  const std::string after = rectified ? " followed by ReLU" : "";
  draft.titles = {"a linear layer" + after, "a fully connected layer with the weights $b and a bias" + after,
                  "$a times $b transposed plus $bias" + after, "an affine map of the rows of $a" + after};
  const std::string sum = "(sum over k of $a[i][k] * $b[j][k]) + $bias[j]";
  draft.formula = rectified ? "$c[i][j] = max(0, " + sum + ")" : "$c[i][j] = " + sum;
  draft.oracle = {"matmul", {{"transpose_b", true}, {"bias", "$bias"}}, ""};
  if (rectified) draft.oracle.parameters["then"] = "max(0, result)";

  ProductWork work;
  work.arrays = {"a", "b", "bias", "c"};
  work.right = "$b[$column * $inner + $k]";
  work.store = rectified ? "$c[$row * $columns + $column] = fmaxf($acc + $bias[$column], 0.0f);\n"
                         : "$c[$row * $columns + $column] = $acc + $bias[$column];\n";
  draft.solutions = product_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_linear_layer;
const GymFamily kFamily_linear_layer = {"linear_layer", "products", draw_linear_layer};

}  // namespace cuset::gym
