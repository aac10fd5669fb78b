// The smooth rectifier, computed so that nothing overflows.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_softplus(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.inputs = {{"x", normal(0, 3)}};
  if (one_in(stream, 2)) {
    what.titles = {"the softplus of $x", "the logarithm of one plus the exponential of $x",
                   "the softplus activation", "a smooth rectifier of every element of $x"};
    what.formula = "max($x, 0) + log1p(exp(-abs($x)))";
  } else {
    what.scalars = {{"beta", draw_constant(stream, 0.5, 3)}};
    what.titles = {"the softplus of $x with sharpness $beta", "the smooth rectifier with factor $beta",
                   "log(1 + exp($beta * x)) / $beta for every element x of $x",
                   "a softplus activation with $beta"};
    what.formula = "max($x, 0) + log1p(exp(-{beta} * abs($x))) / {beta}";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_softplus;
const GymFamily kFamily_softplus = {"softplus", "activations", draw_softplus, true};

}  // namespace cuset::gym
