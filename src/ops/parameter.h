// A weight as operations see it: the value they compute with, and where its gradient goes.
//
// Gradients do not travel as autograd leaves. An operation's backward adds straight into `gradient`, which is
// a view into one flat buffer of the whole model (model/parameters.h): one tensor to clip, to reduce over
// ranks and to hand to the optimizer, in float32 whatever type the model computes in.
#pragma once

#include <torch/types.h>

namespace cuset::ops {

struct Parameter {
  torch::Tensor value;     // in the type the model computes in; undefined where the model has no such weight
  torch::Tensor gradient;  // of the same shape, float32 (float64 beside a float64 value); undefined: frozen

  bool is_defined() const { return value.defined(); }
  bool is_trained() const { return gradient.defined(); }
};

}  // namespace cuset::ops
