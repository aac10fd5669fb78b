// The trained weights of a model in flat buffers, and the optimizer's view of them.
//
//   master    [n] float32   what the optimizer updates and checkpoints hold
//   compute   [n]           the same rounded to the type the model computes in; the master itself if that is float32
//   gradient  [n] float32   what operations add to (ops/parameter.h)
//
// One tensor to clip, to reduce over ranks, to update and to save. Weights that take no weight decay (norms,
// biases) lie behind the others, so that the optimizer sees two slices.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ops/parameter.h"

namespace cuset::model {

struct TrainedWeight {
  std::string name;  // as in the file it is saved to
  std::vector<int64_t> shape;
  bool decays = true;  // takes weight decay
};

class TrainedParameters {
 public:
  TrainedParameters() = default;
  // Values and gradients are 0. `compute_type` is float32, bfloat16 or (for tests) float64.
  TrainedParameters(std::vector<TrainedWeight> weights, torch::ScalarType compute_type, torch::Device device);

  // The weights in the order of the buffers: those that decay first, otherwise as given.
  const std::vector<TrainedWeight>& weights() const { return weights_; }
  int64_t size() const { return master_.defined() ? master_.numel() : 0; }
  int64_t decaying_size() const { return decaying_size_; }  // master[0, decaying_size) takes weight decay

  torch::Tensor& master() { return master_; }
  torch::Tensor& gradient() { return gradient_; }

  // Views for operations; they stay valid for this object's life. Unknown names are our own bug.
  ops::Parameter parameter(const std::string& name) const;
  torch::Tensor master_of(const std::string& name) const;

  // Rounds the master into the compute buffer: after every update and after loading.
  void refresh_compute();
  void zero_gradient();

 private:
  size_t index_of(const std::string& name) const;

  std::vector<TrainedWeight> weights_;
  std::vector<int64_t> offsets_;
  int64_t decaying_size_ = 0;
  torch::Tensor master_;
  torch::Tensor compute_;
  torch::Tensor gradient_;
};

}  // namespace cuset::model
