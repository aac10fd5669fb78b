// Metrics for wandb and mlflow, through their Python packages: a child process, `$CUSET_PYTHON` or python3 with
// tracker.py, at the other end of a socket. One JSON object per line,
//
//   to the child     {"service": "wandb", "folder": ..., "name": ..., "resumes": false}, then {"step": 10, "values": {...}} ...
//   from the child   "ready", or one line that says why not; then the end, once everything is handed over
//
// A check sends {"service": "wandb", "check": true} and reads the same answer. trackers.json in the run's folder keeps
// the services' ids of the run, so that a resumed run continues there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "train/records/tensorboard.h"

namespace cuset::train {

// Whether `name` is a value of report_to that a Tracker serves.
bool is_tracker(const std::string& name);

// Throws Error, with a remedy, where a service's Python package is missing. Takes a moment for each service.
void check_trackers(const std::vector<std::string>& services);

struct TrackedRun {
  std::filesystem::path folder;
  bool resumes = false;  // continue the run of trackers.json
};

class Tracker {
 public:
  // Waits until the service has opened the run. Throws Error where it does not.
  Tracker(std::string service, const TrackedRun& run);
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;
  // Waits until everything is handed over, but no longer than a minute.
  ~Tracker();

  // Never throws: a run does not end because its tracker did. The first failure is a warning, then nothing is sent.
  void record(int64_t step, const std::vector<Scalar>& scalars);

 private:
  std::string service_;
  base::FileDescriptor channel_;
  pid_t child_ = -1;
};

}  // namespace cuset::train
