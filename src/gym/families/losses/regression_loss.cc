// Losses of predictions against targets: squared, absolute, Huber, smooth L1, log-cosh; their mean or sum.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/formula.h"
#include "gym/solutions/full_fold.h"

namespace cuset::gym {
namespace {

struct Penalty {
  std::string name = {};
  std::string formula = {};  // of the difference $d, with {delta}
  bool has_delta = false;
};

GymDraft draw_regression_loss(base::RandomStream& stream) {
  const Penalty penalty = one_of<Penalty>(
      stream,
      {{"squared error", "$d * $d"},
       {"absolute error", "abs($d)"},
       {"Huber loss", "where(abs($d) <= {delta}, 0.5 * $d * $d, {delta} * (abs($d) - 0.5 * {delta}))", true},
       {"smooth L1 loss", "where(abs($d) < {delta}, 0.5 * $d * $d / {delta}, abs($d) - 0.5 * {delta})",
        true}});
  const bool mean = !one_in(stream, 3);
  const int64_t n = whole_between(stream, 2000, 30000);
  const std::string kind = mean ? "mean" : "total";
  GymDraft draft;
  draft.titles = {fmt::format("the {} {} of $x against $target", kind, penalty.name),
                  fmt::format("the {} of all elements, {}", penalty.name, mean ? "averaged" : "added up"),
                  fmt::format("a {} {} over the whole vector", kind, penalty.name),
                  fmt::format("one number: the {} {} between $x and $target", kind, penalty.name)};
  draft.formula =
      fmt::format("$y = {} over i of loss(d), with d = $x[i] - $target[i] and loss(d) = {}",
                  mean ? "mean" : "sum", with_arrays(formula_prose(penalty.formula, ""), {{"d", "d"}}));
  draft.sizes = {{"n", n}};
  if (penalty.has_delta) {
    draft.scalars = {{"delta", draw_constant(stream, 0.25, 2, 4)}};
    draft.notes = {"$delta is {delta}"};
  }
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}},
                  {"target", tasks::NumberType::kFloat32, {n}, {"n"}, normal(0.5), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {1}, {"1"}, {}, {1e-6, 2e-5}}};
  draft.oracle = {"loops",
                  {{"expression", with_arrays(penalty.formula, {{"d", "($x[k0] - $target[k0])"}})},
                   {"over", {n}},
                   {"op", mean ? "mean" : "sum"}},
                  ""};
  FullFold fold;
  fold.inputs = {"x", "target"};
  if (penalty.has_delta) fold.scalars = {"delta"};
  fold.term = with_elements(formula_code(penalty.formula, cuda_number(tasks::NumberType::kFloat32)),
                            [](const std::string&) { return std::string("($x[$i] - $target[$i])"); });
  fold.finish = mean ? "$acc / $n" : "$acc";
  if (mean) fold.finish_sizes = {"n"};
  draft.solutions = full_fold_solutions(fold, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_regression_loss;
const GymFamily kFamily_regression_loss = {"regression_loss", "losses", draw_regression_loss};

}  // namespace cuset::gym
