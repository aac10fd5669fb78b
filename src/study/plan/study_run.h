// Runs the jobs of a study, part by part, each as a process of its own, and leaves out what is done.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "study/plan/jobs.h"

namespace cuset::study {

struct StudyRunOptions {
  std::filesystem::path output;
  std::set<StudyPart> parts;
  std::string only;     // pattern of cells; empty: all
  size_t parallel = 1;  // trainings, and processes that generate, at the same time
  std::string machine;  // recorded with every job
  std::filesystem::path program = "/proc/self/exe";
};

struct StudyRunResult {
  size_t done_before = 0;
  size_t done = 0;
  size_t failed = 0;
  size_t waiting = 0;  // not started, because something that they need is not done
  bool is_interrupted = false;
};

// A job that fails is reported with the end of its log, and the others go on. A signal (base/interrupt.h) is
// passed on to what runs, and no further job starts.
StudyRunResult run_study_jobs(const StudyJobs& jobs, const StudyRunOptions& options);

// "NVIDIA H200", or the processor and its cores.
std::string describe_this_machine();

}  // namespace cuset::study
