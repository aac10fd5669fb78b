// A convolution of images in which each channel has its own filter.
#include "gym/solutions/convolution.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_depthwise_conv_2d(base::RandomStream& stream) {
  ConvolutionDraft conv;
  conv.depthwise = true;
  conv.batch = whole_between(stream, 1, 4);
  conv.channels = whole_between(stream, 2, 8);
  conv.bias = one_in(stream, 4);
  conv.window = {{"height", "width"}, {whole_between(stream, 10, 28), whole_between(stream, 10, 28)}};
  conv.window.taps = whole_between(stream, 2, 5);
  conv.window.stride = one_of<int64_t>(stream, {1, 1, 2});
  conv.window.padding = one_in(stream, 2) ? conv.window.taps / 2 : 0;
  GymDraft draft = convolution_draft(conv, stream);
  draft.titles = {"the depthwise 2D convolution of $x with $weight",
                  "a convolution of every channel with its own filter",
                  "a depthwise convolution of a batch of images", "images of $x filtered channel by channel"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_depthwise_conv_2d;
const GymFamily kFamily_depthwise_conv_2d = {"depthwise_conv_2d", "convolution", draw_depthwise_conv_2d};

}  // namespace cuset::gym
