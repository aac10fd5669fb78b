// Visits everything below a folder that an untrusted program writes into, while it may be writing: links are
// not followed, sub-folders are opened relative to their parents, so that exchanging one for a link leads
// nowhere.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <functional>

namespace cuset::sandbox {

// One entry: the open folder it lies in, its name there, what it is. Returns false to end the walk.
using FolderVisitor = std::function<bool(int folder, const char* name, const struct stat& status)>;

// False if a visitor ended the walk, or folders lie more than 64 deep. What vanishes meanwhile is left out.
bool walk_folder(const std::filesystem::path& folder, const FolderVisitor& visit);

// Whether files below occupy more than `bytes` on disk. More than `entries` of them, or 64 folders inside each
// other, count as more, so that the look stays short.
bool is_folder_larger(const std::filesystem::path& folder, uint64_t bytes, uint64_t entries);

// Makes `user` the owner of the folder and of everything below. Throws Error.
void hand_over_folder(const std::filesystem::path& folder, uid_t user);

}  // namespace cuset::sandbox
