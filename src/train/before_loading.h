// What is known of a run before its model is loaded, said before anybody waits: the memory it needs, the time it takes,
// and a type of numbers that this machine is slow with.
#pragma once

#include "model/files/config.h"
#include "train/data_order.h"
#include "train/training_settings.h"

namespace cuset::train {

struct PlannedRun {
  const TrainingSettings& settings;
  const model::ModelConfig& config;
  const DataOrder& order;
  uint64_t tokens = 0;      // of an epoch
  uint64_t steps_done = 0;  // by the run that is resumed
  int gpu = -1;             // -1: the CPU
};

// Floating-point operations of what is left of the run, over all ranks: two for each weight and token in the forward
// pass, as many for the gradients of the activations, for those of the weights where all are trained, and for a forward
// pass that is repeated. Those of attention, which grow with the square of a sample's length, come on top.
double operations_of(const PlannedRun& run);

// Logs it; warns where it takes more than an hour or more memory than there is. Throws Error where weights and optimizer
// alone do not fit.
void say_before_loading(const PlannedRun& run);

}  // namespace cuset::train
