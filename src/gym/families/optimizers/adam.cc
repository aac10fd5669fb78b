// A step of Adam, or of AdamW with weight decay apart.
#include <cmath>

#include "gym/families/optimizers/optimizer_step.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_adam(base::RandomStream& stream) {
  const bool decays = one_in(stream, 2);
  OptimizerStep step;
  const std::string name = decays ? "AdamW" : "Adam";
  step.titles = {"one step of " + name, "the " + name + " update of the parameters $param",
                 "an " + name + " step with bias correction", "new parameters and moments by " + name};
  const double beta1 = one_of(stream, {0.8, 0.85, 0.9, 0.95});
  const double beta2 = one_of(stream, {0.9, 0.95, 0.98, 0.99});
  const int64_t steps = whole_between(stream, 2, 50);
  const auto correction = [&](double beta) {
    return std::round((1 - std::pow(beta, static_cast<double>(steps))) * 1e6) / 1e6;
  };
  step.scalars = {{"rate", draw_constant(stream, 0.01, 0.2, 100)},
                  {"beta1", beta1},
                  {"beta2", beta2},
                  {"fix1", correction(beta1)},
                  {"fix2", correction(beta2)},
                  {"eps", 1e-4}};
  if (decays) step.scalars.push_back({"decay", draw_constant(stream, 0.01, 0.1, 100)});
  step.states = {{"m", normal(0, 0.5)}, {"v", uniform(0.05, 1)}};
  const std::string m = "({beta1} * $m + (1 - {beta1}) * $grad)";
  const std::string v = "({beta2} * $v + (1 - {beta2}) * $grad * $grad)";
  const std::string from = decays ? "$param - {rate} * {decay} * $param" : "$param";
  step.formulas = {from + " - {rate} * (" + m + " / {fix1}) / (sqrt(" + v + " / {fix2}) + {eps})", m, v};
  step.prose =
      "$m_out = $beta1 * $m + (1 - $beta1) * $grad, $v_out = $beta2 * $v + (1 - $beta2) * $grad * $grad, $param_out = " +
      std::string(decays ? "$param - $rate * $decay * $param" : "$param") +
      " - $rate * ($m_out / $fix1) / (sqrt($v_out / $fix2) + $eps)";
  step.lines =
      "float $g = @grad;\n"
      "float $m1 = $beta1 * @m + (1.0f - $beta1) * $g;\n"
      "float $v1 = $beta2 * @v + (1.0f - $beta2) * $g * $g;\n"
      "float $move = ($m1 / $fix1) / (sqrtf($v1 / $fix2) + $eps);\n";
  step.values = {decays ? "@param - $rate * ($move + $decay * @param)" : "@param - $rate * $move", "$m1",
                 "$v1"};
  return optimizer_draft(step, stream);
}

}  // namespace

extern const GymFamily kFamily_adam;
const GymFamily kFamily_adam = {"adam", "optimizers", draw_adam};

}  // namespace cuset::gym
