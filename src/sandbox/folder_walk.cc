#include "sandbox/folder_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>

#include "base/files/file.h"

namespace cuset::sandbox {
namespace {

constexpr size_t kMostOpenFolders = 64;

bool walk_open_folder(int folder, const FolderVisitor& visit, size_t depth) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::fdopendir(folder), &::closedir);
  if (!open) {
    ::close(folder);
    return true;
  }
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat status{};
    if (::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!visit(folder, entry->d_name, status)) return false;
    if (!S_ISDIR(status.st_mode)) continue;
    if (depth >= kMostOpenFolders) return false;
    const int inner = ::openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0 && !walk_open_folder(inner, visit, depth + 1)) return false;
  }
  return true;
}

}  // namespace

bool walk_folder(const std::filesystem::path& folder, const FolderVisitor& visit) {
  const int root = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return root < 0 || walk_open_folder(root, visit, 0);
}

bool is_folder_larger(const std::filesystem::path& folder, uint64_t bytes, uint64_t entries) {
  uint64_t total = 0;
  uint64_t seen = 0;
  return !walk_folder(folder, [&](int, const char*, const struct stat& status) {
    total += static_cast<uint64_t>(status.st_blocks) * 512;
    return ++seen <= entries && total <= bytes;
  });
}

void hand_over_folder(const std::filesystem::path& folder, uid_t user) {
  if (::chown(folder.c_str(), user, user) != 0) throw base::file_error("change the owner of", folder, errno);
  walk_folder(folder, [&](int parent, const char* name, const struct stat& status) {
    if (status.st_uid == user) return true;
    if (::fchownat(parent, name, user, user, AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT) return true;
    throw base::file_error("change the owner of", folder / name, errno);
  });
}

}  // namespace cuset::sandbox
