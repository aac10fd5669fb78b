#include "verify/execute/companion_file.h"

namespace cuset {

namespace fs = std::filesystem;

fs::path find_companion_file(const fs::path& name, const fs::path& built) {
  std::error_code failed;
  const fs::path here = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (const fs::path& candidate :
       {here / name, here.parent_path() / "lib" / name, here.parent_path() / "libexec/cuset" / name, built}) {
    if (fs::is_regular_file(candidate, failed)) return candidate;
  }
  return {};
}

}  // namespace cuset
