// SiLU, or swish with its factor.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_silu(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.inputs = {{"x", normal(0, 2)}};
  if (one_in(stream, 3)) {
    what.titles = {"the SiLU of $x", "$x times its sigmoid", "the sigmoid linear unit",
                   "the SiLU activation of a vector"};
    what.formula = one_of<std::string>(stream, {"$x * sigmoid($x)", "$x / (1 + exp(-$x))"});
  } else {
    what.scalars = {{"beta", draw_constant(stream, 0.3, 3)}};
    what.titles = {"the swish of $x", "$x times the sigmoid of $beta times $x",
                   "the swish activation with factor $beta", "a swish function of every element of $x"};
    what.formula = one_of<std::string>(stream, {"$x * sigmoid({beta} * $x)", "$x / (1 + exp(-{beta} * $x))"});
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_silu;
const GymFamily kFamily_silu = {"silu", "activations", draw_silu};

}  // namespace cuset::gym
