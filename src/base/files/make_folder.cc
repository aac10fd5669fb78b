#include "base/files/make_folder.h"

#include <system_error>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::base {

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw file_error("make the folder", folder, failed.value());
}

}  // namespace cuset::base
