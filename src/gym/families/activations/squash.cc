// The sigmoid, the hyperbolic tangent and softsign, with factors.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_squash(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.inputs = {{"x", normal(0, 2)}};
  what.scalars = {{"scale", draw_constant(stream, 0.3, 2)}};
  switch (stream.below(3)) {
    case 0:
      what.titles = {"the sigmoid of $scale times $x", "the logistic function of the scaled $x",
                     "a sigmoid activation with slope $scale",
                     "$x scaled and squashed to the range from 0 to 1"};
      what.formula = "1 / (1 + exp(-{scale} * $x))";
      break;
    case 1:
      what.scalars.push_back({"gain", draw_constant(stream, 0.5, 3)});
      what.titles = {"the scaled hyperbolic tangent of $x", "$gain times tanh of $scale times $x",
                     "a tanh activation with gain and slope",
                     "$x squashed to the range from -$gain to $gain"};
      what.formula = "{gain} * tanh({scale} * $x)";
      break;
    default:
      what.titles = {"the softsign of $x", "$x divided by $scale plus its absolute value",
                     "a softsign activation with offset $scale", "$x squashed without exponentials"};
      what.formula = "$x / ({scale} + abs($x))";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_squash;
const GymFamily kFamily_squash = {"squash", "activations", draw_squash};

}  // namespace cuset::gym
