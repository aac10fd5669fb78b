// x tanh(softplus(x)), and its cousin with a logarithm of the sigmoid.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_mish(base::RandomStream& stream) {
  Elementwise what;
  what.inputs = {{"x", normal(0, 2)}};
  if (one_in(stream, 2)) {
    what.titles = {"the Mish activation of $x", "$x times the tanh of its softplus",
                   "the mish of every element of $x", "a Mish activation of a vector"};
    what.formula = "$x * tanh(log1p(exp($x)))";
    if (one_in(stream, 2)) {
      what.lines = "float $s = log1pf(expf(@x));\n";
      what.value = "@x * tanhf($s)";
    }
  } else {
    what.scalars = {{"scale", draw_constant(stream, 0.5, 3)}};
    what.titles = {"the scaled log-sigmoid of $x", "$scale times the logarithm of the sigmoid of $x",
                   "the logarithm of the logistic function, scaled", "a log-sigmoid activation of a vector"};
    what.formula = "{scale} * (min($x, 0) - log1p(exp(-abs($x))))";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_mish;
const GymFamily kFamily_mish = {"mish", "activations", draw_mish};

}  // namespace cuset::gym
