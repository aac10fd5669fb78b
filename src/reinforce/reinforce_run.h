// A reinforcement run from beginning to end: tasks, model, sampler, judge, run folder, trainer. Free of LibTorch
// headers.
#pragma once

#include "base/json/json.h"
#include "execute/executor.h"
#include "reinforce/reinforce_settings.h"

namespace cuset::reinforce {

// Trains as `settings` say, with answers judged on `executor`, and says in the log what it does. `about` goes into
// run.json as it is. Returns 0, or 128 and the signal's number where one ended the run: what is done is saved. Throws
// Error and UsageError.
int run_reinforcement(ReinforceSettings settings, execute::Executor& executor, const base::Json& about);

}  // namespace cuset::reinforce
