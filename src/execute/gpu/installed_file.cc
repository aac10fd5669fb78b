#include "execute/gpu/installed_file.h"

#include <vector>

#include "base/files/search_path.h"

namespace cuset::execute {

namespace fs = std::filesystem;

fs::path find_installed_file(const fs::path& name, const fs::path& built) {
  std::vector<fs::path> candidates;
  if (const fs::path here = base::program_folder(); !here.empty()) {
    const fs::path above = here.parent_path();
    candidates = {here / name, above / "lib" / name, above / "libexec/cuset" / name};
  }
  candidates.push_back(built);
  for (const fs::path& candidate : candidates) {
    std::error_code failed;
    if (fs::is_regular_file(candidate, failed)) return candidate;
  }
  return {};
}

}  // namespace cuset::execute
