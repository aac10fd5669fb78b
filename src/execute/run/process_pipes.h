// Two named pipes between the processes of one program (emulator/runtime/remote/channel.h), in a folder of
// their own.
#pragma once

#include <filesystem>
#include <optional>

#include "base/files/temporary_folder.h"

namespace cuset::execute {

class ProcessPipes {
 public:
  ProcessPipes();  // throws Error where they cannot be made
  // In `folder`, which is made and goes away with them.
  explicit ProcessPipes(std::filesystem::path folder);
  ~ProcessPipes();
  ProcessPipes(const ProcessPipes&) = delete;
  ProcessPipes& operator=(const ProcessPipes&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  // One of the processes has ended: the other no longer waits for it, if it does.
  void release() const;

 private:
  void make() const;

  std::optional<base::TemporaryFolder> own_;
  std::filesystem::path folder_;
};

}  // namespace cuset::execute
