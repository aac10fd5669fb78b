// The control group that Linux has put this process into, of version 1 or 2.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cuset::base {

// Where Linux tells about processes and groups; tests put other folders in their place.
struct MachineFiles {
  std::filesystem::path processes = "/proc";
  std::filesystem::path groups = "/sys/fs/cgroup";
};

// Our own group in the hierarchy of `controller` ("" for version 2), a folder below files.groups; empty where
// there is none.
std::filesystem::path own_control_group(std::string_view controller, const MachineFiles& files = {});

// A file of a control group or of /proc; "" where it does not exist or cannot be read.
std::string control_file_text(const std::filesystem::path& file);

}  // namespace cuset::base
