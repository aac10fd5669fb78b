// What the command that made a folder recorded about itself: run.json, or generation.json where there are only answers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::report {

struct RunDescription {
  // For the page, each as far as known: command (the whole line), created, machine, model, objective, data, version, and
  // settings: [key, value, where it was set] of all that are not defaults.
  base::Json about = base::Json::object();
  // Relative to where the command was started, so perhaps no longer there: then empty.
  std::filesystem::path tasks;
  std::filesystem::path answers;      // with a task and a text in each row
  std::vector<std::string> adapters;  // in the order given
};

// Empty where the folder has no record. Throws Error for one that is not JSON.
RunDescription read_run_description(const std::filesystem::path& folder);

}  // namespace cuset::report
