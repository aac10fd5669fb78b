// A 1 x 1 convolution: at every pixel a matrix times the vector of channels.
#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_pointwise_conv(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 1, 4);
  const int64_t channels = whole_between(stream, 3, 16);
  const int64_t filters = whole_between(stream, 2, 12);
  const int64_t pixels = whole_between(stream, 36, 256);
  GymDraft draft;
  draft.titles = {
      "the 1 x 1 convolution of $x with $weight", "a pointwise convolution of a batch of feature maps",
      "a mixing of the channels of $x at every pixel", "{filters} linear combinations of the channels of $x"};
  draft.formula = "$y[n][o][p] = sum over c of $weight[o][c] * $x[n][c][p]";
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"filters", filters}, {"pixels", pixels}};
  draft.inputs = {
      {"x",
       tasks::NumberType::kFloat32,
       {batch, channels, pixels},
       {"batch", "channels", "pixels"},
       normal(),
       {}},
      {"weight", tasks::NumberType::kFloat32, {filters, channels}, {"filters", "channels"}, normal(), {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {batch, filters, pixels},
                    {"batch", "filters", "pixels"},
                    {},
                    {2e-5, 1e-5}}};
  draft.oracle = {"matmul", {{"a", "$weight"}, {"b", "$x"}}, ""};

  PlaceWork work;
  work.arrays = {"x", "weight", "y"};
  work.sizes = {"batch", "channels", "filters", "pixels"};
  work.planes = "$batch * $filters";
  work.places = "$pixels";
  work.plane_lines = "int $o = $plane % $filters;\nint $image = $plane / $filters;\n";
  work.lines =
      "float $acc = 0.0f;\n"
      "for (int $c = 0; $c < $channels; ++$c) {\n"
      "  $acc += @[$c] * $x[($image * $channels + $c) * $pixels + $p];\n"
      "}\n"
      "$y[$plane * $pixels + $p] = $acc;\n";
  work.slice = "weight";
  work.slice_first = "$o * $channels";
  work.slice_size = channels;
  draft.solutions = place_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_pointwise_conv;
const GymFamily kFamily_pointwise_conv = {"pointwise_conv", "convolution", draw_pointwise_conv};

}  // namespace cuset::gym
