// The Gaussian error linear unit, exact and by the hyperbolic tangent.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_gelu(base::RandomStream& stream) {
  Elementwise what;
  what.inputs = {{"x", normal(0, draw_constant(stream, 1, 2, 4))}};
  if (one_in(stream, 2)) {
    what.type = draw_floating(stream);
    what.titles = {"the exact GELU of $x", "the Gaussian error linear unit by the error function",
                   "the GELU activation with erf", "$x times the normal distribution function of $x"};
    what.formula = "0.5 * $x * (1 + erf($x * 0.70710678))";
  } else {
    what.titles = {"the tanh approximation of the GELU of $x",
                   "the Gaussian error linear unit approximated by tanh", "the GELU activation with tanh",
                   "the fast form of GELU for every element of $x"};
    what.formula = "0.5 * $x * (1 + tanh(0.79788456 * ($x + 0.044715 * $x * $x * $x)))";
    if (one_in(stream, 2)) {
      what.lines = "float $t = 0.79788456f * (@x + 0.044715f * @x * @x * @x);\n";
      what.value = "0.5f * @x * (1.0f + tanhf($t))";
    }
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_gelu;
const GymFamily kFamily_gelu = {"gelu", "activations", draw_gelu};

}  // namespace cuset::gym
