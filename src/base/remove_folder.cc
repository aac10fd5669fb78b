#include "base/remove_folder.h"

#include <ftw.h>
#include <sys/stat.h>

#include <cstdio>

namespace cuset {
namespace {

int remove_entry(const char* path, const struct stat*, int, struct FTW*) {
  ::remove(path);
  return 0;  // whatever cannot be removed stays; the rest goes
}

}  // namespace

bool remove_folder(const std::filesystem::path& folder) {
  constexpr int kOpenFolders = 16;
  ::nftw(folder.c_str(), remove_entry, kOpenFolders, FTW_DEPTH | FTW_PHYS);
  struct stat info{};
  return ::lstat(folder.c_str(), &info) != 0;
}

}  // namespace cuset
