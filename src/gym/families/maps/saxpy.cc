// y = alpha x + z, and its kin with a second factor: the plainest of maps.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_saxpy(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.inputs = {{"x", normal()}, {"z", normal()}};
  what.scalars = {{"alpha", draw_constant(stream, 0.25, 4)}};
  if (one_in(stream, 2)) {
    what.titles = {"a scaled vector addition", "$alpha times $x plus $z", "the saxpy operation",
                   "the sum of $z and a multiple of $x"};
    what.formula = "{alpha} * $x + $z";
  } else {
    what.scalars.push_back({"beta", draw_constant(stream, -3, -0.25)});
    what.titles = {"a linear combination of two vectors", "$alpha times $x plus $beta times $z",
                   "the axpby operation", "the weighted sum of $x and $z"};
    what.formula = "{alpha} * $x + {beta} * $z";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_saxpy;
const GymFamily kFamily_saxpy = {"saxpy", "maps", draw_saxpy};

}  // namespace cuset::gym
