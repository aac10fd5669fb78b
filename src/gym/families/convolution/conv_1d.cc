// A convolution of sequences with several channels.
#include "gym/solutions/convolution.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_conv_1d(base::RandomStream& stream) {
  ConvolutionDraft conv;
  conv.batch = whole_between(stream, 1, 4);
  conv.channels = whole_between(stream, 1, 6);
  conv.filters = whole_between(stream, 2, 8);
  conv.bias = one_in(stream, 4);
  conv.window = {{"length"}, {whole_between(stream, 40, 160)}};
  conv.window.taps = whole_between(stream, 2, 7);
  conv.window.stride = one_of<int64_t>(stream, {1, 1, 2, 3});
  conv.window.padding = one_in(stream, 2) ? conv.window.taps / 2 : 0;
  conv.window.dilation = one_of<int64_t>(stream, {1, 1, 2});
  GymDraft draft = convolution_draft(conv, stream);
  draft.titles = {"the 1D convolution of $x with $weight", "a convolution along the last axis of $x",
                  "a 1D convolution layer over {channels} channels",
                  "sequences of $x filtered by {filters} filters"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_conv_1d;
const GymFamily kFamily_conv_1d = {"conv_1d", "convolution", draw_conv_1d};

}  // namespace cuset::gym
