// A convolution of images with several channels.
#include "gym/solutions/convolution.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_conv_2d(base::RandomStream& stream) {
  ConvolutionDraft conv;
  conv.batch = whole_between(stream, 1, 3);
  conv.channels = whole_between(stream, 1, 4);
  conv.filters = whole_between(stream, 2, 6);
  conv.bias = one_in(stream, 4);
  conv.window = {{"height", "width"}, {whole_between(stream, 10, 24), whole_between(stream, 10, 24)}};
  conv.window.taps = whole_between(stream, 2, 4);
  conv.window.stride = one_of<int64_t>(stream, {1, 1, 2});
  conv.window.padding = one_in(stream, 2) ? conv.window.taps / 2 : 0;
  conv.window.dilation = one_of<int64_t>(stream, {1, 1, 1, 2});
  GymDraft draft = convolution_draft(conv, stream);
  draft.titles = {"the 2D convolution of $x with $weight", "a convolution of a batch of images",
                  "a 2D convolution layer over {channels} channels",
                  "images of $x filtered by {filters} filters"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_conv_2d;
const GymFamily kFamily_conv_2d = {"conv_2d", "convolution", draw_conv_2d};

}  // namespace cuset::gym
