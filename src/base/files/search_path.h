// Where programs are: this one, beside which lies what comes with it, and others, which are found by name.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace cuset::base {

// The folder of the running executable, links followed; empty where the system does not say (no /proc).
std::filesystem::path program_folder();

// The folders of a list as PATH has it, "/usr/local/bin:/usr/bin", in order. Relative and empty ones, which
// stand for the current folder, are left out: what lies there may be anybody's.
std::vector<std::filesystem::path> search_path_folders(std::string_view list);

// Those of PATH; /usr/bin and /bin where it is not set.
std::vector<std::filesystem::path> search_path_folders();

}  // namespace cuset::base
