// Margins of scores with labels of -1 and 1: hinge and squared hinge, mean or each.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/formula.h"
#include "gym/solutions/full_fold.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_hinge_loss(base::RandomStream& stream) {
  const bool squared = one_in(stream, 2);
  const bool each = one_in(stream, 3);
  const int64_t n = each ? draw_count(stream) : whole_between(stream, 2000, 30000);
  const std::string name = squared ? "squared hinge loss" : "hinge loss";
  GymDraft draft;
  draft.titles = {
      fmt::format("the {}{} of the scores $x with labels $labels", each ? "" : "mean ", name),
      fmt::format("the {} with margin $margin{}", name, each ? " for every sample" : ", averaged"),
      fmt::format("a {} of a linear classifier{}", name, each ? ", sample by sample" : ", as a mean"),
      fmt::format("{} {} of $x against labels of 0 and 1", each ? "each sample's" : "the average", name)};
  // Labels are stored as 0 and 1; 2 * label - 1 is the sign.
  const std::string gap = "max({margin} - (2 * $labels - 1) * $x, 0)";
  const std::string loss = squared ? gap + " * " + gap : gap;
  draft.notes = {"a label of 0 stands for -1", "$margin is {margin}"};
  draft.sizes = {{"n", n}};
  draft.scalars = {{"margin", draw_constant(stream, 0.5, 2)}};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(), {}},
                  {"labels", tasks::NumberType::kInt32, {n}, {"n"}, whole_numbers(0, 2), {}}};
  const std::string code_gap = "fmaxf($margin - (@labels ? @x : -@x), 0.0f)";
  const std::string prose =
      "max(0, $margin - s * $x[i])" + std::string(squared ? "^2" : "") + ", where s = 2 * $labels[i] - 1";
  if (each) {
    draft.formula = "$y[i] = " + prose;
    draft.outputs = {{"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, {1e-5, 1e-4}}};
    draft.oracle = {"map", {{"expression", loss}}, ""};
    MapWork work{tasks::NumberType::kFloat32, "", {code_gap}, {}};
    if (squared)
      work = {tasks::NumberType::kFloat32, "float $gap = " + code_gap + ";\n", {"$gap * $gap"}, {}};
    draft.solutions = map_solutions(draft, work, stream);
    return draft;
  }
  draft.formula = "$y = mean over i of " + prose;
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {1}, {"1"}, {}, {1e-6, 2e-5}}};
  draft.oracle = {"loops",
                  {{"expression", with_arrays(loss, {{"x", "$x[k0]"}, {"labels", "$labels[k0]"}})},
                   {"over", {n}},
                   {"op", "mean"}},
                  ""};
  FullFold fold;
  fold.inputs = {"x", "labels"};
  fold.scalars = {"margin"};
  const std::string term = squared ? code_gap + " * " + code_gap : code_gap;
  fold.term = with_elements(term, [](const std::string& key) { return "$" + key + "[$i]"; });
  fold.finish = "$acc / $n";
  fold.finish_sizes = {"n"};
  draft.solutions = full_fold_solutions(fold, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_hinge_loss;
const GymFamily kFamily_hinge_loss = {"hinge_loss", "losses", draw_hinge_loss};

}  // namespace cuset::gym
