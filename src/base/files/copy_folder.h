// Copies a folder whose content nobody vouches for: what an untrusted program left behind.
//
// Regular files and folders are copied; links, devices, pipes and sockets are never opened, only named.
// Blocks of zeros become holes, so that a sparse file stays small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cuset::base {

struct CopiedFiles {
  uint64_t files = 0;
  uint64_t bytes = 0;
  // Paths below the folder of what is neither file nor folder, or cannot be read
  std::vector<std::string> left_out;
};

// The paths below `folder` of its regular files, sorted; of what cannot be read, nothing.
std::vector<std::string> regular_files_below(const std::filesystem::path& folder);

// Copies what is below `from` into the folder `to`, which is made where absent. Throws Error where writing
// fails.
CopiedFiles copy_folder(const std::filesystem::path& from, const std::filesystem::path& to);

// Copies one regular file, with its permissions. Throws Error; symbolic links are refused.
uint64_t copy_regular_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace cuset::base
