// Runs `make` or `cmake` on somebody's folder to learn how it would be built: in the sandbox, which shows the folder and what
// its build files name around it read-only. A stand-in for nvcc, which says its version and compiles nothing, is on its PATH and below
// CUDA_HOME and CUDA_PATH, for build files that look for a toolkit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

class BuildTools {
 public:
  // Throws Error where `folder` is none.
  BuildTools(const std::filesystem::path& folder, sandbox::Confinement confinement);

  // Runs `tool` ("make") with the arguments in our own folder. Throws Error where it is not installed.
  sandbox::SandboxResult run(const std::string& tool, const std::vector<std::string>& arguments) const;

  const std::filesystem::path& project() const { return project_; }       // absolute
  const std::filesystem::path& folder() const { return folder_.path(); }  // writable for the tools
  std::filesystem::path nvcc() const { return folder_ / "toolkit" / "bin" / "nvcc"; }

 private:
  base::TemporaryFolder folder_;
  std::filesystem::path project_;
  std::vector<std::filesystem::path> readable_;
  sandbox::Confinement confinement_;
};

// The existing files and folders outside of `folder` that the texts of its build files name by "../", and those that the named
// build files name. The folder of a project (that with .git) comes whole, unless it is the user's home. Never the root.
std::vector<std::filesystem::path> places_around(const std::filesystem::path& folder);

}  // namespace cuset::execute
