// A polynomial with constant coefficients, by the rule of Horner.
#include <fmt/format.h>

#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_polynomial(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  const int64_t degree = whole_between(stream, 2, 5);
  what.titles = {fmt::format("a polynomial of degree {} in every element of $x", degree),
                 "the value of a polynomial at each element of $x", "a polynomial evaluated by Horner's rule",
                 "the polynomial with the given coefficients at all points $x"};
  what.inputs = {{"x", uniform(-1.5, 1.5)}};
  what.formula = fmt::format("{}", draw_constant(stream, 0.25, 2, 4));
  for (int64_t power = 0; power < degree; ++power) {
    const double coefficient = draw_constant(stream, 0.25, 3, 4);
    what.formula = fmt::format("{} * $x {} {}", power == 0 ? what.formula : "(" + what.formula + ")",
                               one_in(stream, 2) ? '+' : '-', coefficient);
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_polynomial;
const GymFamily kFamily_polynomial = {"polynomial", "maps", draw_polynomial};

}  // namespace cuset::gym
