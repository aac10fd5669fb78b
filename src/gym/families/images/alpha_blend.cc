// One image laid over another by an opacity, of the whole or of each pixel.
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_alpha_blend(base::RandomStream& stream) {
  Elementwise what;
  what.titles = {"two images blended by their opacity", "$front laid over $back",
                 "the alpha blending of $front and $back", "a mix of the pixels of $front and $back"};
  what.inputs = {{"front", uniform(0, 1)}, {"back", uniform(0, 1)}};
  if (one_in(stream, 2)) {
    what.inputs.push_back({"opacity", uniform(0, 1)});
    what.formula = one_of<std::string>(
        stream, {"$opacity * $front + (1 - $opacity) * $back", "$back + $opacity * ($front - $back)"});
  } else {
    what.scalars = {{"opacity", draw_constant(stream, 0.1, 0.9)}};
    what.formula = "{opacity} * $front + (1 - {opacity}) * $back";
  }
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_alpha_blend;
const GymFamily kFamily_alpha_blend = {"alpha_blend", "images", draw_alpha_blend};

}  // namespace cuset::gym
