// A folder of results for tests: files by name and text.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::support {

class TestFolder {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path write(std::string_view name, std::string_view text) const {
    const std::filesystem::path file = folder_ / name;
    std::filesystem::create_directories(file.parent_path());
    base::write_file_atomic(file, text);
    return file;
  }

 private:
  base::TemporaryFolder folder_;
};

}  // namespace cuset::support
