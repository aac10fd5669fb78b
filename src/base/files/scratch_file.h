// Files in temporary folders and staging areas: nobody misses them after a power cut, so they are written
// without waiting for the disk. What must last is written through base/files/file.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace cuset::base {

// Makes or overwrites the file, never through a symbolic link. Throws Error.
void write_scratch_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_scratch_file(const std::filesystem::path& path, std::string_view text);

}  // namespace cuset::base
