// Removes a folder with everything in it, without std::filesystem::remove_all: LibTorch's CUDA wheels export
// an old copy of that function, which crashes and which the dynamic linker prefers to the standard library's.
#pragma once

#include <filesystem>

namespace cuset::base {

// Whatever an untrusted program built there: chains of folders longer than any path, folders that forbid
// reading. A file under that name goes, too. Symbolic links are removed, not followed. True where nothing is
// left under that name; what cannot be removed stays, and the rest goes.
bool remove_folder(const std::filesystem::path& folder);

}  // namespace cuset::base
