// Where the CUDA compiler is, and of which version.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuset::execute {

struct Nvcc {
  std::filesystem::path path;
  std::string version;  // "13.0"
};

// Where nvcc is looked for, in order: $CUDACXX, PATH, $CUDA_HOME/bin, /usr/local/cuda/bin and the folder this
// program was built with. Folders need not exist.
std::vector<std::filesystem::path> nvcc_search_paths();

// The first nvcc that answers `--version`; none is an ordinary outcome.
std::optional<Nvcc> find_nvcc(const std::vector<std::filesystem::path>& candidates = nvcc_search_paths());

// "13.0" out of the text of `nvcc --version`; empty if it says no release.
std::string parse_nvcc_version(const std::string& text);

}  // namespace cuset::execute
