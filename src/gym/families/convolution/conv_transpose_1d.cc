// A transposed convolution of sequences.
#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_conv_transpose_1d(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 1, 4);
  const int64_t channels = whole_between(stream, 1, 5);
  const int64_t filters = whole_between(stream, 2, 6);
  const int64_t length = whole_between(stream, 20, 100);
  const int64_t taps = whole_between(stream, 2, 6);
  const int64_t stride = whole_between(stream, 1, 3);
  const int64_t padding = whole_between(stream, 0, taps / 2);
  const int64_t width = (length - 1) * stride - 2 * padding + taps;
  GymDraft draft;
  draft.titles = {"the transposed 1D convolution of $x with $weight",
                  "a 1D deconvolution of a batch of sequences", "an upsampling 1D convolution",
                  "the transpose of a strided 1D convolution, applied to $x"};
  draft.formula =
      "$y[n][o][p] = sum over c, i, k with i * $stride - $padding + k = p of $x[n][c][i] * $weight[c][o][k]";
  draft.notes = {"the stride is {stride}", "the padding is {padding}"};
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"filters", filters}, {"length", length},
                 {"width", width}, {"taps", taps},         {"stride", stride},   {"padding", padding}};
  draft.inputs = {{"x",
                   tasks::NumberType::kFloat32,
                   {batch, channels, length},
                   {"batch", "channels", "length"},
                   normal(),
                   {}},
                  {"weight",
                   tasks::NumberType::kFloat32,
                   {channels, filters, taps},
                   {"channels", "filters", "taps"},
                   normal(),
                   {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {batch, filters, width},
                    {"batch", "filters", "width"},
                    {},
                    {2e-5, 1e-5}}};
  draft.oracle = {"conv_transpose1d", {{"stride", stride}, {"padding", padding}}, ""};

  PlaceWork work;
  work.arrays = {"x", "weight", "y"};
  for (const GymSize& size : draft.sizes) work.sizes.push_back(size.key);
  work.planes = "$batch * $filters";
  work.places = "$width";
  work.plane_lines = "int $o = $plane % $filters;\nint $image = $plane / $filters;\n";
  work.lines =
      "float $acc = 0.0f;\n"
      "for (int $c = 0; $c < $channels; ++$c) {\n"
      "  for (int $k = 0; $k < $taps; ++$k) {\n"
      "    int $at = $p + $padding - $k;\n"
      "    if ($at >= 0 && $at % $stride == 0 && $at / $stride < $length) {\n"
      "      $acc += @[$c * $length + $at / $stride] * $weight[($c * $filters + $o) * $taps + $k];\n"
      "    }\n"
      "  }\n"
      "}\n"
      "$y[$plane * $width + $p] = $acc;\n";
  work.slice = "x";
  work.slice_first = "$image * $channels * $length";
  work.slice_size = channels * length;
  draft.solutions = place_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_conv_transpose_1d;
const GymFamily kFamily_conv_transpose_1d = {"conv_transpose_1d", "convolution", draw_conv_transpose_1d};

}  // namespace cuset::gym
