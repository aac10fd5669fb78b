// The dot product of two vectors.
#include "gym/solutions/draws.h"
#include "gym/solutions/full_fold.h"

namespace cuset::gym {
namespace {

GymDraft draw_dot_product(base::RandomStream& stream) {
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kFloat32, tasks::NumberType::kFloat64});
  const int64_t n = whole_between(stream, 1000, 30000);
  GymDraft draft;
  draft.titles = {"the dot product of $a and $b", "the inner product of two vectors",
                  "the sum of the elementwise products of $a and $b", "the scalar product of $a and $b"};
  draft.formula = "$y = sum over i of $a[i] * $b[i]";
  draft.sizes = {{"n", n}};
  draft.inputs = {{"a", type, {n}, {"n"}, normal(0.25), {}}, {"b", type, {n}, {"n"}, normal(0.5), {}}};
  const bool is_double = type == tasks::NumberType::kFloat64;
  draft.outputs = {
      {"y", type, {}, {}, {}, is_double ? tasks::Tolerance{1e-9, 1e-11} : tasks::Tolerance{2e-3, 1e-5}}};
  draft.oracle = {"matmul", {}, ""};

  FullFold work;
  work.inputs = {"a", "b"};
  work.type = type;
  work.term = "$a[$i] * $b[$i]";
  draft.solutions = full_fold_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_dot_product;
const GymFamily kFamily_dot_product = {"dot_product", "reductions", draw_dot_product};

}  // namespace cuset::gym
