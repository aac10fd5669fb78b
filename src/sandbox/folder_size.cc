#include "sandbox/folder_size.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <memory>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace cuset {
namespace {

constexpr uint64_t kMostEntries = 100'000;
constexpr size_t kMostOpenFolders = 64;

struct Count {
  uint64_t bytes = 0;
  uint64_t entries = 0;
};

// Adds what lies in the open folder; sub-folders are opened relative to it, so that their program cannot
// lead us elsewhere by exchanging a folder for a link.
void add_folder(int folder, Count& count, uint64_t bytes, size_t depth) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::fdopendir(folder), &::closedir);
  if (!open) {
    ::close(folder);
    return;
  }
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (++count.entries > kMostEntries || count.bytes > bytes) return;
    struct stat status{};
    if (::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    count.bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    if (!S_ISDIR(status.st_mode) || depth >= kMostOpenFolders) continue;
    const int inner = ::openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0) add_folder(inner, count, bytes, depth + 1);
  }
}

}  // namespace

bool is_folder_larger(const std::filesystem::path& folder, uint64_t bytes) {
  Count count;
  const int root = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root >= 0) add_folder(root, count, bytes, 0);
  return count.bytes > bytes || count.entries > kMostEntries;
}

}  // namespace cuset
