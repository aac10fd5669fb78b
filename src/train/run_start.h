// How every kind of training run begins: the checkpoint that it resumes from, the number of threads, and what the log
// says of its model.
#pragma once

#include <optional>

#include "model/decoder.h"
#include "train/ranks/ranks.h"
#include "train/records/training_checkpoint.h"
#include "train/training_settings.h"

namespace cuset::train {

// Reads and checks the checkpoint to resume from, if any: before anything long is begun.
std::optional<SavedTraining> open_saved(const RunFolderChoice& choice);

// Sums over several threads have other last bits than over one. So the number does not follow what else the
// machine does, and a resumed run takes that of its run, also where fewer cores are usable now.
void take_threads_of_run(const SavedTraining& saved, const model::Placement& placement, const Ranks& ranks);

// To the log.
void say_model(const ModelChoice& choice, model::Decoder& decoder);

}  // namespace cuset::train
