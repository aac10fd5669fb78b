#include "execute/build/nvcc_search.h"

#include <cstdlib>
#include <string_view>

#include "base/files/search_path.h"
#include "sandbox/process.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::vector<fs::path> nvcc_search_paths() {
  std::vector<fs::path> candidates;
  if (const std::string compiler = environment("CUDACXX"); !compiler.empty())
    candidates.emplace_back(compiler);
  for (const fs::path& folder : base::search_path_folders()) candidates.push_back(folder / "nvcc");
  if (const std::string home = environment("CUDA_HOME"); !home.empty()) {
    candidates.push_back(fs::path(home) / "bin/nvcc");
  }
  candidates.emplace_back("/usr/local/cuda/bin/nvcc");
  if (const std::string_view built_with = CUSET_BUILD_NVCC; !built_with.empty())
    candidates.emplace_back(built_with);
  return candidates;
}

std::optional<Nvcc> find_nvcc(const std::vector<fs::path>& candidates) {
  for (const fs::path& candidate : candidates) {
    std::error_code ignored;
    if (!fs::is_regular_file(candidate, ignored)) continue;
    const sandbox::ProcessResult answer = sandbox::run_process({candidate.string(), "--version"});
    const std::string version = answer.succeeded() ? parse_nvcc_version(answer.output) : "";
    if (!version.empty()) return Nvcc{candidate, version};
  }
  return std::nullopt;
}

std::string parse_nvcc_version(const std::string& text) {
  static constexpr std::string_view kMark = "release ";
  const size_t mark = text.find(kMark);
  if (mark == std::string::npos) return "";
  const size_t start = mark + kMark.size();
  const size_t end = text.find_first_not_of("0123456789.", start);
  return text.substr(start, end - start);
}

}  // namespace cuset::execute
