// Elements kept between two bounds.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_clamp(base::RandomStream& stream) {
  Elementwise what;
  const bool whole = one_in(stream, 4);
  what.type = whole ? tasks::NumberType::kInt32 : draw_floating(stream);
  what.titles = {"$x clamped to an interval", "every element of $x limited to the range from $low to $high",
                 "the clip operation with bounds $low and $high",
                 "$x with its values cut off below and above"};
  what.inputs = {{"x", whole ? whole_numbers(-200, 200) : normal()}};
  if (whole) {
    what.scalars = {{"low", static_cast<double>(whole_between(stream, -150, -20))},
                    {"high", static_cast<double>(whole_between(stream, 20, 150))}};
  } else {
    what.scalars = {{"low", draw_constant(stream, -1.5, -0.2)}, {"high", draw_constant(stream, 0.2, 1.5)}};
  }
  what.formula = "min(max($x, {low}), {high})";
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_clamp;
const GymFamily kFamily_clamp = {"clamp", "maps", draw_clamp};

}  // namespace cuset::gym
