// Images whose channels are scaled and shifted, as at the end of a normalization.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_channel_affine(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 5);
  const int64_t channels = whole_between(stream, 3, 16);
  const int64_t height = whole_between(stream, 6, 24);
  const int64_t width = whole_between(stream, 6, 24);
  GymDraft draft;
  draft.titles = {
      "a scale and a shift for each channel of $x", "the channels of a batch of images, scaled and shifted",
      "a per-channel affine map of an NCHW tensor", "$x times $gain plus $shift, both by channel"};
  draft.formula = "$y[b][c][h][w] = $gain[c] * $x[b][c][h][w] + $shift[c]";
  draft.notes = {"the layout is NCHW: batch, channel, row, column"};
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"height", height}, {"width", width}};
  const tasks::Shape shape = {batch, channels, height, width};
  const std::vector<std::string> sides = {"batch", "channels", "height", "width"};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, shape, sides, normal(), {}},
                  {"gain", tasks::NumberType::kFloat32, {channels}, {"channels"}, uniform(0.5, 2), {}},
                  {"shift", tasks::NumberType::kFloat32, {channels}, {"channels"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, shape, sides, {}, {2e-6, 1e-5}}};
  draft.oracle = {"loops", {{"expression", "$gain[i1] * $x + $shift[i1]"}}, ""};
  draft.solutions =
      plane_solutions({.arrays = {"x", "gain", "shift", "y"},
                       .sizes = {"batch", "channels", "height", "width"},
                       .rows = "$channels",
                       .columns = "($height * $width)",
                       .planes = "$batch",
                       .lines = "int $at = ($plane * $channels + $row) * $height * $width + $column;\n"
                                "$y[$at] = $gain[$row] * $x[$at] + $shift[$row];\n",
                       .noun = "element of an image"},
                      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_channel_affine;
const GymFamily kFamily_channel_affine = {"channel_affine", "broadcasting", draw_channel_affine};

}  // namespace cuset::gym
