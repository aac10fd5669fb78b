#include "base/temporary_folder.h"

#include <ftw.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/file.h"

namespace cuset {
namespace {

int remove_entry(const char* path, const struct stat*, int, struct FTW*) {
  ::remove(path);
  return 0;  // whatever cannot be removed stays; the rest goes
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
  if (failed) {
    throw Error("cannot find a folder for temporary files: {}", failed.message())
        .with_remedy("set TMPDIR to a folder you can write to");
  }
  std::string name = (parent / "cuset-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw file_error("make a temporary folder in", parent, errno);
  path_ = name;
}

// By nftw instead of std::filesystem::remove_all: LibTorch's CUDA wheels export an old copy of that function,
// which crashes and which the dynamic linker prefers to the standard library's.
TemporaryFolder::~TemporaryFolder() {
  constexpr int kOpenFolders = 16;
  ::nftw(path_.c_str(), remove_entry, kOpenFolders, FTW_DEPTH | FTW_PHYS);
}

}  // namespace cuset
