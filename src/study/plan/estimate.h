// What a study has still to do and how long that may take.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "study/plan/jobs.h"

namespace cuset::study {

// How fast this machine is where the study has measured nothing yet.
struct MachineSpeed {
  bool has_gpu = false;
  size_t cores = 1;
};

// The jobs of one kind.
struct KindEstimate {
  std::string kind;
  size_t jobs = 0;
  size_t done = 0;
  double seconds_left = 0;
  bool is_measured = false;  // from finished jobs of this kind in the folder; else from a table of rates
};

// `parallel` trainings share the machine; their seconds were measured, or are taken, side by side.
std::vector<KindEstimate> estimate_study(const StudyJobs& jobs, const std::filesystem::path& output,
                                         const std::vector<bool>& chosen, const MachineSpeed& speed,
                                         size_t parallel);

// The cells with the parts that are done, and the estimate: what --dry-run prints.
std::string dry_run_text(const StudyPlan& plan, const StudyJobs& jobs, const std::filesystem::path& output,
                         const std::vector<bool>& chosen, const std::vector<KindEstimate>& estimates);

}  // namespace cuset::study
