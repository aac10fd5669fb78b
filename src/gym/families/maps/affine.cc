// A scalar factor and a scalar shift, of floating or whole numbers.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_affine(base::RandomStream& stream) {
  Elementwise what;
  const bool whole = one_in(stream, 4);
  what.type = whole ? tasks::NumberType::kInt32 : draw_floating(stream);
  what.titles = {"an affine map of $x", "$x scaled and shifted", "a multiple of $x plus a constant",
                 "the linear function of every element of $x"};
  what.inputs = {{"x", whole ? whole_numbers(-1000, 1000) : normal()}};
  if (whole) {
    what.scalars = {{"scale", static_cast<double>(whole_between(stream, 2, 40))},
                    {"shift", static_cast<double>(whole_between(stream, -500, 500))}};
  } else {
    what.scalars = {{"scale", draw_constant(stream, 0.3, 5)}, {"shift", draw_constant(stream, -4, 4)}};
  }
  what.formula = one_of<std::string>(stream, {"{scale} * $x + {shift}", "{scale} * ($x + {shift})"});
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_affine;
const GymFamily kFamily_affine = {"affine", "maps", draw_affine};

}  // namespace cuset::gym
