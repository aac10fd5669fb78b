// Files that come with the program and are used by name at run time: libraries loaded into other programs,
// helper programs.
#pragma once

#include <filesystem>

namespace cuset::execute {

// `name` in the folder of this executable, in ../lib beside it or in ../libexec/cuset; else where the build
// left it (`built`); empty where it is nowhere.
std::filesystem::path find_installed_file(const std::filesystem::path& name,
                                          const std::filesystem::path& built);

}  // namespace cuset::execute
