#include "base/files/remove_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

namespace cuset::base {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

// Where that fails, what follows fails too and says so.
void allow_owner(int parent, const char* name) {
  if (::fchmodat(parent, name, 0700, 0) != 0) return;
}

// Never through a link; null where it is not a folder. Takes away a mode that would forbid it to its owner.
OpenFolder open_folder(int parent, const char* name) {
  struct stat info{};
  if (::fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode)) return nullptr;
  allow_owner(parent, name);
  const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return nullptr;
  OpenFolder folder(::fdopendir(fd));
  if (!folder) ::close(fd);
  return folder;
}

std::vector<std::string> names_in(DIR* folder) {
  std::vector<std::string> names;
  ::rewinddir(folder);
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

// Moves what is in `name` up into `top` under names of its own, so that no path grows however deep the
// folders are.
void lift_content(int top, const std::string& name, size_t& lifted) {
  const OpenFolder folder = open_folder(top, name.c_str());
  if (!folder) return;
  for (const std::string& entry : names_in(folder.get())) {
    if (::unlinkat(::dirfd(folder.get()), entry.c_str(), 0) == 0) continue;
    struct stat info{};
    std::string unused;
    do {
      unused = ".lifted-" + std::to_string(lifted++);
    } while (::fstatat(top, unused.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0);
    allow_owner(::dirfd(folder.get()), entry.c_str());  // a folder that moves is written to
    if (::renameat(::dirfd(folder.get()), entry.c_str(), top, unused.c_str()) != 0) continue;
  }
}

// True where something went, so that another round may find more to do.
bool remove_entry(int top, const std::string& name, size_t& lifted) {
  if (::unlinkat(top, name.c_str(), 0) == 0 || ::unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0) return true;
  lift_content(top, name, lifted);
  return ::unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0;
}

}  // namespace

bool remove_folder(const std::filesystem::path& folder) {
  if (const OpenFolder top = open_folder(AT_FDCWD, folder.c_str())) {
    size_t lifted = 0;
    for (bool moving = true; moving;) {
      moving = false;
      for (const std::string& name : names_in(top.get()))
        moving |= remove_entry(::dirfd(top.get()), name, lifted);
    }
  }
  if (::rmdir(folder.c_str()) != 0) ::unlink(folder.c_str());
  struct stat info{};
  return ::lstat(folder.c_str(), &info) != 0;
}

}  // namespace cuset::base
