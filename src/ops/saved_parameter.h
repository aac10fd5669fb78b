// Parameters kept between an operation's forward and backward. They are not autograd variables: their
// gradients go into their own buffers, so that they are kept as plain values instead of through
// save_for_backward.
#pragma once

#include <torch/autograd.h>

#include "ops/parameter.h"

namespace cuset::ops {

inline void save_parameter(torch::autograd::AutogradContext& context, const Parameter& parameter) {
  context.saved_data["value"] = parameter.value;
  if (parameter.is_trained()) context.saved_data["gradient"] = parameter.gradient;
}

inline Parameter saved_parameter(torch::autograd::AutogradContext& context) {
  Parameter parameter{context.saved_data["value"].toTensor(), {}};
  const auto gradient = context.saved_data.find("gradient");
  if (gradient != context.saved_data.end()) parameter.gradient = gradient->second.toTensor();
  return parameter;
}

}  // namespace cuset::ops
