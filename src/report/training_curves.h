// The curves of a training run, from its metrics.jsonl (docs/checkpoints.md).
#pragma once

#include <filesystem>

#include "base/json/json.h"

namespace cuset::report {

// {"curves": {"loss": {"x": [steps], "y": [values]}, ...}, "windows": [{"step", "confidence", "place",
// "text"}]}
//
// Every number of the records but step and epoch is a curve. One of more than kMostPoints points is thinned:
// neighbors are replaced by their mean. Of the least certain windows of the steps a few are kept, spread
// over the run. A last line that its writer did not finish is passed over. Throws Error.
base::Json read_training_curves(const std::filesystem::path& metrics);

inline constexpr size_t kMostPoints = 400;
inline constexpr size_t kMostWindows = 6;

}  // namespace cuset::report
