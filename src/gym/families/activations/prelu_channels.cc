// A leaky rectifier with one slope per channel.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_prelu_channels(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 6);
  const int64_t channels = whole_between(stream, 3, 24);
  const int64_t points = whole_between(stream, 40, 20000 / (batch * channels));
  GymDraft draft;
  draft.titles = {"the PReLU of $x with one slope per channel",
                  "a leaky ReLU whose slope depends on the channel",
                  "the parametric ReLU of a batch of channels",
                  "$x with negative elements times $slope of their channel"};
  draft.formula = "$y[b][c][i] = ($x[b][c][i] > 0 ? $x[b][c][i] : $slope[c] * $x[b][c][i])";
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"points", points}};
  draft.inputs = {{"x",
                   tasks::NumberType::kFloat32,
                   {batch, channels, points},
                   {"batch", "channels", "points"},
                   normal(),
                   {}},
                  {"slope", tasks::NumberType::kFloat32, {channels}, {"channels"}, uniform(0.05, 0.6), {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {batch, channels, points},
                    {"batch", "channels", "points"},
                    {},
                    {1e-6, 1e-5}}};
  draft.oracle = {"loops", {{"expression", "where($x > 0, $x, $slope[i1] * $x)"}}, ""};
  draft.solutions = plane_solutions({.arrays = {"x", "slope", "y"},
                                     .sizes = {"batch", "channels", "points"},
                                     .rows = "$channels",
                                     .columns = "$points",
                                     .planes = "$batch",
                                     .lines = "int $at = ($plane * $channels + $row) * $points + $column;\n"
                                              "float $v = $x[$at];\n"
                                              "$y[$at] = $v > 0.0f ? $v : $slope[$row] * $v;\n"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_prelu_channels;
const GymFamily kFamily_prelu_channels = {"prelu_channels", "activations", draw_prelu_channels};

}  // namespace cuset::gym
