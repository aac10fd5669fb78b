// Brightness raised to a power.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_gamma_correction(base::RandomStream& stream) {
  Elementwise what;
  what.titles = {"the gamma correction of $image", "each pixel of $image raised to the power $gamma",
                 "$image with gamma $gamma", "a power law applied to every pixel"};
  what.inputs = {{"image", uniform(0.01, 1)}};
  what.scalars = {{"gamma", draw_constant(stream, 0.3, 2.8)}};
  what.formula = "pow($image, {gamma})";
  if (one_in(stream, 3)) {
    what.scalars.push_back({"gain", draw_constant(stream, 0.5, 2)});
    what.formula = "{gain} * pow($image, {gamma})";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_gamma_correction;
const GymFamily kFamily_gamma_correction = {"gamma_correction", "images", draw_gamma_correction};

}  // namespace cuset::gym
