// ReLU and its kin: leaky ReLU, ELU, SELU, ReLU6 and the squared one.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_rectifier(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.inputs = {{"x", normal()}};
  switch (stream.below(5)) {
    case 0:
      what.titles = {"the ReLU of $x", "$x with negative elements set to 0",
                     "the rectified linear activation", "the ReLU activation of a vector"};
      what.formula = "max($x, 0)";
      break;
    case 1:
      what.scalars = {{"alpha", draw_constant(stream, 0.01, 0.4, 100)}};
      what.titles = {"the leaky ReLU of $x", "$x with negative elements multiplied by $alpha",
                     "the leaky rectifier with slope $alpha", "a leaky ReLU activation"};
      what.formula = "where($x > 0, $x, {alpha} * $x)";
      break;
    case 2:
      what.scalars = {{"alpha", draw_constant(stream, 0.3, 2)}};
      what.titles = {"the ELU of $x", "the exponential linear unit with $alpha",
                     "an ELU activation of a vector", "$x with negative elements bent exponentially"};
      what.formula = "where($x > 0, $x, {alpha} * expm1($x))";
      break;
    case 3:
      what.scalars = {{"alpha", 1.67326}, {"scale", 1.0507}};
      what.titles = {"the SELU of $x", "the scaled exponential linear unit", "a SELU activation of a vector",
                     "the self-normalizing activation of $x"};
      what.formula = "{scale} * where($x > 0, $x, {alpha} * expm1($x))";
      break;
    default:
      what.scalars = {{"top", draw_constant(stream, 0.5, 2)}};
      what.titles = {"the capped ReLU of $x", "$x limited to the range from 0 to $top",
                     "a ReLU that ends at $top", "the rectifier with a ceiling"};
      what.formula = "min(max($x, 0), {top})";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_rectifier;
const GymFamily kFamily_rectifier = {"rectifier", "activations", draw_rectifier};

}  // namespace cuset::gym
