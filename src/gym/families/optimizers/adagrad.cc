// A step of Adagrad: the gradient over the root of all squares so far.
#include "gym/families/optimizers/optimizer_step.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_adagrad(base::RandomStream& stream) {
  OptimizerStep step;
  step.titles = {"one step of Adagrad", "the Adagrad update of the parameters $param",
                 "an Adagrad step with rate $rate", "gradient descent with a sum of squares per parameter"};
  step.scalars = {{"rate", draw_constant(stream, 0.02, 0.5, 100)},
                  {"eps", draw_constant(stream, 0.001, 0.01, 1000)}};
  step.states = {{"total", uniform(0.1, 4)}};
  step.formulas = {"$param - {rate} * $grad / (sqrt($total + $grad * $grad) + {eps})",
                   "$total + $grad * $grad"};
  step.prose =
      "$total_out = $total + $grad * $grad, $param_out = $param - $rate * $grad / (sqrt($total_out) + $eps)";
  step.lines = "float $g = @grad;\nfloat $s = @total + $g * $g;\n";
  step.values = {"@param - $rate * $g / (sqrtf($s) + $eps)", "$s"};
  return optimizer_draft(step, stream);
}

}  // namespace

extern const GymFamily kFamily_adagrad;
const GymFamily kFamily_adagrad = {"adagrad", "optimizers", draw_adagrad, true};

}  // namespace cuset::gym
