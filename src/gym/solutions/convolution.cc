#include "gym/solutions/convolution.h"

#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

std::string convolution_lines(const ConvolutionDraft& conv) {
  const SlidingWindow& window = conv.window;
  const std::string start = conv.bias ? "$bias[$o]" : "0.0f";
  std::string loops;
  if (conv.depthwise) {
    loops = window.loops(
        fmt::format("$acc += @[{}] * $x[$plane * {} + {}];\n", window.tap(), window.plane(), window.at()));
  } else {
    const std::string line =
        fmt::format("$acc += @[$c * {} + {}] * $x[($image * $channels + $c) * {} + {}];\n", window.all_taps(),
                    window.tap(), window.plane(), window.at());
    loops = fmt::format("for (int $c = 0; $c < $channels; ++$c) {{\n{}}}\n", indented(window.loops(line)));
  }
  return window.coordinates() + fmt::format("float $acc = {};\n", start) + loops +
         fmt::format("$y[$plane * {} + $p] = $acc;\n", window.out_plane());
}

PlaceWork convolution_work(const ConvolutionDraft& conv, const GymDraft& draft) {
  const SlidingWindow& window = conv.window;
  const std::string filters = conv.depthwise ? "$channels" : "$filters";
  PlaceWork work;
  for (const GymArray& input : draft.inputs) work.arrays.push_back(input.key);
  work.arrays.push_back("y");
  for (const GymSize& size : draft.sizes) work.sizes.push_back(size.key);
  work.planes = "$batch * " + filters;
  work.places = window.out_plane();
  work.plane_lines = fmt::format("int $o = $plane % {};\n", filters);
  if (!conv.depthwise) work.plane_lines += fmt::format("int $image = $plane / {};\n", filters);
  work.lines = convolution_lines(conv);
  work.slice = "weight";
  work.slice_first = "$o * " + std::string(conv.depthwise ? "" : "$channels * ") + window.all_taps();
  work.slice_size = (conv.depthwise ? 1 : conv.channels) * window.taps_of_all();
  return work;
}

// The axes of the array, then those of the window.
GymArray array_of(const std::string& key, tasks::Shape shape, std::vector<std::string> sides,
                  const tasks::Shape& more, const std::vector<std::string>& more_sides) {
  shape.insert(shape.end(), more.begin(), more.end());
  sides.insert(sides.end(), more_sides.begin(), more_sides.end());
  return {key, tasks::NumberType::kFloat32, shape, sides, normal(), {}};
}

std::string formula_of(const ConvolutionDraft& conv) {
  static constexpr std::string_view kPlaces[] = {"", "[x + dx]", "[y + dy][x + dx]",
                                                 "[z + dz][y + dy][x + dx]"};
  static constexpr std::string_view kTaps[] = {"", "[dx]", "[dy][dx]", "[dz][dy][dx]"};
  static constexpr std::string_view kHere[] = {"", "[x]", "[y][x]", "[z][y][x]"};
  const size_t axes = conv.window.axes.size();
  std::string place(kPlaces[axes]);
  if (conv.window.stride != 1 || conv.window.padding != 0 || conv.window.dilation != 1)
    place = "[place of the tap]";
  std::string sum =
      conv.depthwise ? fmt::format("$y[n][c]{} = sum over the window of $weight[c]{} * $x[n][c]{}",
                                   kHere[axes], kTaps[axes], place)
                     : fmt::format("$y[n][o]{} = sum over c and the window of $weight[o][c]{} * $x[n][c]{}",
                                   kHere[axes], kTaps[axes], place);
  if (!conv.bias) return sum;
  return sum + (conv.depthwise ? " + $bias[c]" : " + $bias[o]");
}

}  // namespace

GymDraft convolution_draft(const ConvolutionDraft& conv, base::RandomStream& stream) {
  const SlidingWindow& window = conv.window;
  const size_t axes = window.axes.size();
  const int64_t filters = conv.depthwise ? conv.channels : conv.filters;
  const std::string filters_key = conv.depthwise ? "channels" : "filters";
  GymDraft draft;
  draft.formula = formula_of(conv);
  draft.notes = window.notes();
  draft.notes.insert(draft.notes.begin(), "the filters have {taps} taps along each axis and are not flipped");
  if (window.padding != 0) draft.notes.push_back("outside of $x there are zeros");
  draft.sizes = {{"batch", conv.batch}, {"channels", conv.channels}};
  if (!conv.depthwise) draft.sizes.push_back({"filters", filters});
  const std::vector<GymSize> sizes = window.sizes();
  draft.sizes.insert(draft.sizes.end(), sizes.begin(), sizes.end());
  draft.inputs = {
      array_of("x", {conv.batch, conv.channels}, {"batch", "channels"}, window.lengths, window.axes),
      array_of("weight", {filters, conv.depthwise ? 1 : conv.channels},
               {filters_key, conv.depthwise ? "1" : "channels"}, tasks::Shape(axes, window.taps),
               std::vector<std::string>(axes, "taps"))};
  if (conv.bias) draft.inputs.push_back(array_of("bias", {filters}, {filters_key}, {}, {}));
  draft.outputs = {
      array_of("y", {conv.batch, filters}, {"batch", filters_key}, window.out_shape(), window.out_axes())};
  draft.outputs[0].tolerance = {5e-5, 1e-5};
  draft.oracle.native = fmt::format("conv{}d", axes);
  draft.oracle.parameters = {
      {"stride", window.stride}, {"padding", window.padding}, {"dilation", window.dilation}};
  if (conv.depthwise) draft.oracle.parameters["groups"] = conv.channels;
  draft.solutions = place_solutions(convolution_work(conv, draft), stream);
  return draft;
}

}  // namespace cuset::gym
