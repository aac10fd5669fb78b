// A training run from beginning to end: ranks, device, data, model, run folder, trainer. Free of LibTorch
// headers.
#pragma once

#include "base/json/json.h"
#include "train/training_settings.h"

namespace cuset::train {

// Trains as `settings` say and says in the log what it does. `about` goes into run.json as it is: the
// settings with their origins, the program's version. Returns 0, or 128 and the signal's number where one
// ended the run: its checkpoint is saved. Throws Error and UsageError; other ranks are told before.
int run_training(const TrainingSettings& settings, const base::Json& about);

}  // namespace cuset::train
