// Makes a folder with the folders above it. std::filesystem::create_directories alone throws an error without
// a remedy, which a read-only disk or a mistyped --output must not end in.
#pragma once

#include <filesystem>

namespace cuset::base {

// A folder that is there already stays as it is. Throws Error where the system refuses.
void make_folder(const std::filesystem::path& folder);

}  // namespace cuset::base
