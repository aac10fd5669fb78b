// A whole draft of a convolution of one to three axes, plain or of each channel alone.
#pragma once

#include "gym/family.h"
#include "gym/solutions/sliding_window.h"

namespace cuset::gym {

struct ConvolutionDraft {
  SlidingWindow window = {};
  int64_t batch = 1;
  int64_t channels = 1;
  int64_t filters = 1;
  bool depthwise = false;  // a filter for each channel, `filters` does not count
  bool bias = false;
};

// Everything but the titles.
GymDraft convolution_draft(const ConvolutionDraft& conv, base::RandomStream& stream);

}  // namespace cuset::gym
