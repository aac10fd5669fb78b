// Contrast about a middle gray, then brightness, cut off at black and white.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_brightness_contrast(base::RandomStream& stream) {
  Elementwise what;
  what.titles = {
      "an image with changed brightness and contrast", "$image with its contrast and brightness adjusted",
      "pixels stretched about middle gray and shifted", "a brightness and contrast correction of $image"};
  what.inputs = {{"image", uniform(0, 1)}};
  what.scalars = {{"contrast", draw_constant(stream, 0.5, 2.5)},
                  {"brightness", draw_constant(stream, -0.3, 0.3)}};
  what.formula =
      one_of<std::string>(stream, {"min(max({contrast} * ($image - 0.5) + 0.5 + {brightness}, 0), 1)",
                                   "min(max({contrast} * $image + {brightness}, 0), 1)"});
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_brightness_contrast;
const GymFamily kFamily_brightness_contrast = {"brightness_contrast", "images", draw_brightness_contrast};

}  // namespace cuset::gym
