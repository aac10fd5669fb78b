// AdamW (Loshchilov and Hutter, 2019) over the flat buffers of a model, and clipping by the global norm.
//
//   w   <- w - rate * decay * w                            (only weights that decay)
//   m   <- beta1 m + (1 - beta1) g        v <- beta2 v + (1 - beta2) g^2
//   w   <- w - rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
// computed by ATen's fused kernels, one call per slice of the buffers, on CPU and GPU: torch.optim.AdamW with
// fused=True. With LoRA+, matrices A and B have learning rates of their own, and each is a slice.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "model/files/safetensors.h"
#include "model/parameters.h"
#include "train/optimizer_settings.h"

namespace cuset::train {

// The Euclidean norm of a flat gradient, summed in float64: a float64 scalar on its device.
torch::Tensor gradient_norm(const torch::Tensor& gradient);

// Scales `gradient` by min(1, max_norm / (norm + 1e-6)), as torch.nn.utils.clip_grad_norm_, and returns the
// norm before. Does not wait for the device. A max_norm of 0 clips nothing. A norm that is not finite spoils
// the gradient: look at it before the update.
torch::Tensor clip_gradient(torch::Tensor& gradient, double max_norm);

class Optimizer {
 public:
  // Borrows `parameters`, which must outlive it and stay where they are. Throws UsageError for settings
  // outside their range.
  Optimizer(model::TrainedParameters& parameters, const OptimizerSettings& settings);

  // One update of the master weights from their gradient; refreshes the weights the model computes with.
  void step(double learning_rate);

  // The cosine between the gradient that is there and the running mean of those before; 0 before the first step. Near 0
  // the steps go in directions that have little in common: they follow the noise of their samples.
  double gradient_agreement() const;

  int64_t steps_done() const { return steps_done_; }

  // What a run needs to resume to the bit, as views for write_safetensors: "step", and for every weight
  // "master.<name>", "exp_avg.<name>", "exp_avg_sq.<name>".
  std::vector<model::NamedTensor> state() const;

  // Takes master weights, averages and step from such a file. Throws Error naming file and tensor for what is
  // missing, mis-shaped or of another type; nothing is changed then.
  void load_state(const model::SafetensorsFile& file);

 private:
  std::vector<model::NamedTensor> pieces() const;
  void update_matrices(double learning_rate);
  void update_slice(int64_t begin, int64_t end, double learning_rate, double weight_decay);

  model::TrainedParameters* parameters_;
  OptimizerSettings settings_;
  torch::Tensor exp_avg_;     // [n]
  torch::Tensor exp_avg_sq_;  // [n]
  torch::Tensor step_;        // float32 scalar on the device, as the fused kernels want it
  int64_t steps_done_ = 0;
};

}  // namespace cuset::train
