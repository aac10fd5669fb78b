// Two named pipes between the processes of one program (emulator/runtime/remote/channel.h), in a folder of
// their own.
#pragma once

#include <filesystem>

#include "base/files/temporary_folder.h"

namespace cuset::execute {

class ProcessPipes {
 public:
  ProcessPipes();  // throws Error where they cannot be made

  const std::filesystem::path& folder() const { return folder_.path(); }

  // One of the processes has ended: the other no longer waits for it, if it does.
  void release() const;

 private:
  base::TemporaryFolder folder_;
};

}  // namespace cuset::execute
