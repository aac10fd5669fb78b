// The files that a program of `cuset run` finds in its working folder, and those that it wrote there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/files/copy_folder.h"

namespace cuset::execute {

// A program's working folder, filled before it runs.
class WorkingFiles {
 public:
  // Copies files and folders into `folder`, each under its own last name. Throws Error where one cannot be
  // read, or where two have the same name.
  WorkingFiles(const std::vector<std::string>& inputs, std::filesystem::path folder);

  // Copies the files that are new or changed since into `target`, which is made where absent.
  base::CopiedFiles copy_written(const std::filesystem::path& target) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, int64_t> changed_at_;  // of the inputs: nanoseconds, by path below the folder
};

}  // namespace cuset::execute
