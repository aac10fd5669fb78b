// A step of gradient descent with momentum, Nesterov's or not, and weight decay.
#include "gym/families/optimizers/optimizer_step.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_sgd_momentum(base::RandomStream& stream) {
  const bool nesterov = one_in(stream, 3);
  const bool decays = one_in(stream, 2);
  OptimizerStep step;
  step.titles = {
      "one step of gradient descent with momentum", "an SGD update with momentum $mu",
      "the momentum update of the parameters $param",
      nesterov ? "one step of SGD with Nesterov momentum" : "one step of SGD with a velocity buffer"};
  step.scalars = {{"rate", draw_constant(stream, 0.01, 0.3, 100)}, {"mu", draw_constant(stream, 0.5, 0.95)}};
  if (decays) step.scalars.push_back({"decay", draw_constant(stream, 0.01, 0.1, 100)});
  step.states = {{"velocity", normal()}};
  const std::string gradient = decays ? "($grad + {decay} * $param)" : "$grad";
  const std::string velocity = "({mu} * $velocity + " + gradient + ")";
  const std::string direction = nesterov ? "(" + gradient + " + {mu} * " + velocity + ")" : velocity;
  step.formulas = {"$param - {rate} * " + direction, "{mu} * $velocity + " + gradient};
  step.prose = std::string(decays ? "g = $grad + $decay * $param, " : "g = $grad, ") +
               "$velocity_out = $mu * $velocity + g, " +
               (nesterov ? "$param_out = $param - $rate * (g + $mu * $velocity_out)"
                         : "$param_out = $param - $rate * $velocity_out");
  step.lines = decays ? "float $g = @grad + $decay * @param;\n" : "float $g = @grad;\n";
  step.lines += "float $vel = $mu * @velocity + $g;\n";
  step.values = {nesterov ? "@param - $rate * ($g + $mu * $vel)" : "@param - $rate * $vel", "$vel"};
  return optimizer_draft(step, stream);
}

}  // namespace

extern const GymFamily kFamily_sgd_momentum;
const GymFamily kFamily_sgd_momentum = {"sgd_momentum", "optimizers", draw_sgd_momentum};

}  // namespace cuset::gym
