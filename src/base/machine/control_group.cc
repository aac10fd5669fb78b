#include "base/machine/control_group.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/lines.h"

namespace cuset::base {

namespace fs = std::filesystem;

std::string control_file_text(const fs::path& file) {
  try {
    return read_file(file);
  } catch (const Error&) {
    return "";
  }
}

// From lines "number:controllers:path" of /proc/self/cgroup.
fs::path own_control_group(std::string_view controller, const MachineFiles& files) {
  const std::string text = control_file_text(files.processes / "self/cgroup");
  for (const std::string_view line : lines_of(text)) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string controllers(line.substr(first + 1, second - first - 1));
    if (("," + controllers + ",").find("," + std::string(controller) + ",") == std::string::npos) continue;
    const fs::path mount = files.groups / controllers;
    const fs::path group = mount / fs::path(line.substr(second + 1)).relative_path();
    std::error_code ignored;
    // Inside a container the path is the host's, while the mount already begins at our own group.
    return fs::exists(group, ignored) ? group : mount;
  }
  return {};
}

}  // namespace cuset::base
