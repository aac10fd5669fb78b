// The product of each row; numbers near 1, so that it stays within reach.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_row_product(base::RandomStream& stream) {
  const MatrixSize size = {whole_between(stream, 64, 512), whole_between(stream, 8, 40)};
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, uniform(0.8, 1.25));
  draft.titles = {"the product of each row of $x", "row products of a matrix",
                  "the product of all elements of every row",
                  "the reduction of $x along its last axis by multiplication"};
  draft.formula = "$y[i] = product over j of $x[i][j]";
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {size.rows}, {"rows"}, {}, {1e-7, 2e-5}}};
  draft.oracle = {"reduce", {{"op", "prod"}, {"axes", 1}}, ""};
  draft.solutions =
      lane_solutions(row_work(tasks::NumberType::kFloat32, Fold::kProduct, "product", "$product"), stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_row_product;
const GymFamily kFamily_row_product = {"row_product", "reductions", draw_row_product};

}  // namespace cuset::gym
