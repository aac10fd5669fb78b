#include "base/files/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/files/file.h"
#include "base/files/remove_folder.h"

namespace cuset::base {

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

TemporaryFolder::~TemporaryFolder() { remove_folder(path_); }

}  // namespace cuset::base
