// Reads the sources of a plan into rows.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "curate/endpoint/endpoint_sampler.h"
#include "curate/plan/plan.h"
#include "curate/sources/row.h"
#include "tasks/task.h"

namespace cuset::curate {

// Where what is read goes. A record that cannot be a row is refused with what is known of it.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void take(Row row) = 0;
  virtual void refuse(const std::string& source, const std::string& place, const Rejection& rejection) = 0;
};

// The tasks of all sources, by id.
class TaskCatalog {
 public:
  // Reads every file of tasks once. Throws Error where two files have different tasks of one id.
  explicit TaskCatalog(const std::vector<PlannedSource>& sources);

  // nullptr where there is none.
  const tasks::Task* find(const std::string& id) const;
  // Those of one file, as they stand there.
  const std::vector<tasks::Task>& of_file(const std::filesystem::path& file) const;
  // All, in the order of the sources.
  std::vector<tasks::Task> all() const;

 private:
  std::map<std::filesystem::path, std::vector<tasks::Task>> files_;
  std::vector<const tasks::Task*> order_;
  std::map<std::string, const tasks::Task*> by_id_;
};

// The prompt of `task` that the source's level asks for. Throws Error where it has none.
const tasks::Prompt& prompt_of(const tasks::Task& task, const PlannedSource& source);

// What a source with an endpoint asks it: every task, as often as the plan says.
std::vector<WantedSample> wanted_samples(const PlannedSource& source, const TaskCatalog& catalog);

// Throws Error where a file cannot be read at all, is of no known form, or answers tasks that are not there. A record
// that is broken is refused, and the next one read.
void read_source(const PlannedSource& source, const TaskCatalog& catalog, RowSink& sink);

// Kernels of the .cu and .cuh files below a folder, in the order of their paths; hidden folders and links are left
// out. Every kernel with what it needs of its file (cuda_source/kernel_slices.h).
void read_folder(const PlannedSource& source, RowSink& sink);

}  // namespace cuset::curate
