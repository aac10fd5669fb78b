// A folder under the system's place for temporary files (TMPDIR, or /tmp) that goes away with the object.
#pragma once

#include <filesystem>
#include <string_view>

namespace cuset::base {

class TemporaryFolder {
 public:
  // Private to the user. Throws Error where it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace cuset::base
