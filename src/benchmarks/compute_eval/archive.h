// Files out of a tar.gz, in memory: gzip (RFC 1952) around tar (POSIX ustar, with pax and GNU long names).
//
// Nothing is written to disk, so an archive cannot place files; names that try to (absolute, "..") are
// rejected as well: such entries are malicious. Links, devices and folders are skipped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace cuset::benchmarks {

struct ArchiveLimits {
  uint64_t unpacked = 512ull << 20;  // bytes
  size_t files = 10'000;
};

// Whether the bytes begin like gzip.
bool looks_like_gzip(std::string_view bytes);

// The bytes that the gzip members of `packed` hold. Throws Error, opening with `name`, for what is damaged,
// cut off or larger than `limit`.
std::string gunzip(std::string_view packed, uint64_t limit, const std::string& name);

// Name -> content of the regular files of a tar archive; of a name that appears twice, the later one. Throws
// Error, opening with `name`.
std::map<std::string, std::string> read_tar(std::string_view archive, size_t most_files,
                                            const std::string& name);

// Both, of a file.
std::map<std::string, std::string> read_tar_gz(const std::filesystem::path& path,
                                               const ArchiveLimits& limits = {});

}  // namespace cuset::benchmarks
