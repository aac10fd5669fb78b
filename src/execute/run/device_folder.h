// The working folder of the process that runs a program's kernels (emulator/device_account.h): the inputs it
// puts in place of those the host was shown, and what it wrote down.
#pragma once

#include <filesystem>
#include <vector>

#include "base/files/temporary_folder.h"
#include "execute/executor.h"

namespace cuset::execute {

class DeviceFolder {
 public:
  explicit DeviceFolder(const SplitOptions& options);  // throws Error where the disk fails

  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  base::TemporaryFolder folder_;
};

// Lays what the options ask for into an empty folder. Throws Error where the disk fails.
void lay_device_files(const SplitOptions& options, const std::filesystem::path& folder);

// After the device is done: what it wrote down in `folder`; if that is not whole, the device has failed.
void take_downloads(const std::filesystem::path& folder, SplitRun& run);

}  // namespace cuset::execute
