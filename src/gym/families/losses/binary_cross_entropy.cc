// Cross entropy of probabilities or logits against targets between 0 and 1.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/formula.h"
#include "gym/solutions/full_fold.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_binary_cross_entropy(base::RandomStream& stream) {
  const bool logits = one_in(stream, 2);
  const bool each = one_in(stream, 2);
  const int64_t n = each ? draw_count(stream) : whole_between(stream, 2000, 30000);
  const std::string from = logits ? "logits" : "probabilities";
  GymDraft draft;
  draft.titles = {
      fmt::format("the {}binary cross entropy of the {} $x against $target", each ? "" : "mean ", from),
      fmt::format("the binary cross-entropy loss of {}{}", from,
                  each ? ", element by element" : ", averaged"),
      fmt::format("the log loss of {} for soft targets{}", from, each ? "" : ", as a mean"),
      fmt::format("{} binary cross entropy between $x and $target", each ? "an unreduced" : "the average")};
  const std::string loss = logits ? "max($x, 0) - $x * $target + log1p(exp(-abs($x)))"
                                  : "-($target * log($x) + (1 - $target) * log(1 - $x))";
  draft.sizes = {{"n", n}};
  draft.inputs = {
      {"x", tasks::NumberType::kFloat32, {n}, {"n"}, logits ? normal(0, 2) : uniform(0.05, 0.95), {}},
      {"target", tasks::NumberType::kFloat32, {n}, {"n"}, uniform(0, 1), {}}};
  const std::string code = formula_code(loss, cuda_number(tasks::NumberType::kFloat32));
  if (each) {
    draft.formula = "$y[i] = " + formula_prose(loss);
    draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-5, 1e-4}}};
    draft.oracle = {"map", {{"expression", loss}}, ""};
    draft.solutions = map_solutions(draft, {tasks::NumberType::kFloat32, "", {code}, {}}, stream);
    return draft;
  }
  draft.formula = "$y = mean over i of " + formula_prose(loss);
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {1}, {"1"}, {}, {1e-6, 2e-5}}};
  draft.oracle = {"loops",
                  {{"expression", with_arrays(loss, {{"x", "$x[k0]"}, {"target", "$target[k0]"}})},
                   {"over", {n}},
                   {"op", "mean"}},
                  ""};
  FullFold fold;
  fold.inputs = {"x", "target"};
  fold.term = with_elements(code, [](const std::string& key) { return "$" + key + "[$i]"; });
  fold.finish = "$acc / $n";
  fold.finish_sizes = {"n"};
  draft.solutions = full_fold_solutions(fold, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_binary_cross_entropy;
const GymFamily kFamily_binary_cross_entropy = {"binary_cross_entropy", "losses", draw_binary_cross_entropy};

}  // namespace cuset::gym
