// The folder of a run: run.json, metrics.jsonl, runs/ (TensorBoard), checkpoint-<step>/, and at the end the
// adapter or the model itself, so that others load the folder as it is.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "base/json/json.h"
#include "train/training_settings.h"

namespace cuset::train {

// Makes the folder ready, on the rank that writes: throws UsageError where it holds a run and neither
// resuming nor overwriting was asked for; removes the files of that run where overwriting was, but
// throws Error where the run is alive.
void prepare_run_folder(const RunFolderChoice& choice);

// The checkpoint to resume from; nothing where a new run begins, also because there is none yet.
std::optional<std::filesystem::path> checkpoint_to_resume(const RunFolderChoice& choice);

// Calls `write` with an empty folder and moves what it wrote into the run's folder, replacing files of the
// same names.
void publish_model(const std::filesystem::path& run_folder,
                   const std::function<void(const std::filesystem::path&)>& write);

// {"path", "bytes", "crc32c"} of each file, for run.json.
base::Json describe_files(const std::vector<data::DataSource>& files);

}  // namespace cuset::train
