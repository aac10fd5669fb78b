// A step of RMSprop: the gradient over the root of its running mean square.
#include "gym/families/optimizers/optimizer_step.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_rmsprop(base::RandomStream& stream) {
  OptimizerStep step;
  step.titles = {"one step of RMSprop", "the RMSprop update of the parameters $param",
                 "an RMSprop step with decay $rho", "gradient descent with a running mean of squares"};
  step.scalars = {{"rate", draw_constant(stream, 0.01, 0.2, 100)},
                  {"rho", draw_constant(stream, 0.6, 0.95)},
                  {"eps", 1e-4}};
  step.states = {{"square", uniform(0.05, 2)}};
  const std::string square = "({rho} * $square + (1 - {rho}) * $grad * $grad)";
  const bool inside = one_in(stream, 2);
  step.formulas = {inside ? "$param - {rate} * $grad / sqrt(" + square + " + {eps})"
                          : "$param - {rate} * $grad / (sqrt(" + square + ") + {eps})",
                   square};
  step.prose =
      "$square_out = $rho * $square + (1 - $rho) * $grad * $grad, $param_out = $param - $rate * $grad / " +
      std::string(inside ? "sqrt($square_out + $eps)" : "(sqrt($square_out) + $eps)");
  step.lines = "float $g = @grad;\nfloat $s = $rho * @square + (1.0f - $rho) * $g * $g;\n";
  step.values = {
      inside ? "@param - $rate * $g * rsqrtf($s + $eps)" : "@param - $rate * $g / (sqrtf($s) + $eps)", "$s"};
  return optimizer_draft(step, stream);
}

}  // namespace

extern const GymFamily kFamily_rmsprop;
const GymFamily kFamily_rmsprop = {"rmsprop", "optimizers", draw_rmsprop};

}  // namespace cuset::gym
