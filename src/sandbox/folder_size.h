// Whether a folder that an untrusted program writes into has grown beyond a limit.
#pragma once

#include <cstdint>
#include <filesystem>

namespace cuset {

// Counts what the files occupy on disk; links are not followed, other file systems not entered. A folder with
// more than a hundred thousand entries counts as larger, so that the look stays short.
bool is_folder_larger(const std::filesystem::path& folder, uint64_t bytes);

}  // namespace cuset
