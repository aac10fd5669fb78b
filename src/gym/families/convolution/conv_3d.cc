// A convolution of volumes.
#include "gym/solutions/convolution.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {
namespace {

GymDraft draw_conv_3d(base::RandomStream& stream) {
  ConvolutionDraft conv;
  conv.batch = whole_between(stream, 1, 2);
  conv.channels = whole_between(stream, 1, 3);
  conv.filters = whole_between(stream, 2, 4);
  conv.window = {{"depth", "height", "width"},
                 {whole_between(stream, 5, 9), whole_between(stream, 5, 10), whole_between(stream, 5, 10)}};
  conv.window.taps = whole_between(stream, 2, 3);
  conv.window.padding = one_in(stream, 3) ? 1 : 0;
  GymDraft draft = convolution_draft(conv, stream);
  draft.titles = {"the 3D convolution of $x with $weight", "a convolution of a batch of volumes",
                  "a 3D convolution layer over {channels} channels",
                  "volumes of $x filtered by {filters} filters"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_conv_3d;
const GymFamily kFamily_conv_3d = {"conv_3d", "convolution", draw_conv_3d};

}  // namespace cuset::gym
