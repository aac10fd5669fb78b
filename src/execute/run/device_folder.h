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

  // After the process has ended: its downloads; if they are not whole, the device has failed.
  void take_downloads(SplitRun& run) const;

 private:
  base::TemporaryFolder folder_;
};

}  // namespace cuset::execute
