// Activations of straight pieces: hard sigmoid, hard swish, hard tanh, hard shrink.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_hard_activation(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.inputs = {{"x", normal(0, 3)}};
  switch (stream.below(4)) {
    case 0:
      what.titles = {"the hard sigmoid of $x", "a sigmoid made of straight lines",
                     "the hard-sigmoid activation", "$x / 6 + 1/2 cut off at 0 and 1"};
      what.formula = "min(max($x + 3, 0), 6) / 6";
      break;
    case 1:
      what.titles = {"the hard swish of $x", "$x times its hard sigmoid", "the hard-swish activation",
                     "a swish made of straight lines"};
      what.formula = "$x * min(max($x + 3, 0), 6) / 6";
      break;
    case 2:
      what.scalars = {{"bound", draw_constant(stream, 0.5, 4)}};
      what.titles = {"the hard tanh of $x", "$x cut off at -$bound and $bound", "the hard-tanh activation",
                     "a tanh made of straight lines"};
      what.formula = "max(min($x, {bound}), -{bound})";
      break;
    default:
      // Eighths are exact in float: no comparison depends on rounding.
      what.scalars = {{"bound", draw_constant(stream, 0.25, 2, 8)}};
      what.titles = {"the hard shrinkage of $x", "$x with elements of at most $bound in size set to 0",
                     "the hard-shrink activation", "a threshold on the size of every element of $x"};
      what.formula = "where(abs($x) > {bound}, $x, 0)";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_hard_activation;
const GymFamily kFamily_hard_activation = {"hard_activation", "activations", draw_hard_activation};

}  // namespace cuset::gym
