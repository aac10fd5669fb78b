#include "execute/run/process_pipes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "emulator/device_account.h"

namespace cuset::execute {
namespace {

constexpr const char* kPipes[] = {CUSET_PIPE_TO_DEVICE, CUSET_PIPE_TO_PROGRAM};

}  // namespace

// Both processes run as other users in a full sandbox: the pipes are open to all, their folder is private to us.
ProcessPipes::ProcessPipes() : own_(std::in_place), folder_(own_->path()) { make(); }

ProcessPipes::ProcessPipes(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::filesystem::create_directory(folder_);
  make();
}

ProcessPipes::~ProcessPipes() {
  std::error_code ignored;
  if (!own_) std::filesystem::remove_all(folder_, ignored);
}

void ProcessPipes::make() const {
  for (const char* name : kPipes) {
    const std::filesystem::path pipe = folder_ / name;
    if (::mkfifo(pipe.c_str(), 0666) != 0 || ::chmod(pipe.c_str(), 0666) != 0)
      throw base::Error("cannot make the pipe {}: {}", pipe.string(), std::strerror(errno));
  }
}

// Opening an end lets go whoever waits for one; closing it again tells that nobody is there.
void ProcessPipes::release() const {
  for (const char* name : kPipes) {
    for (const int end : {O_RDONLY, O_WRONLY}) {
      const int pipe = ::open((folder_ / name).c_str(), end | O_NONBLOCK | O_CLOEXEC);
      if (pipe >= 0) ::close(pipe);
    }
  }
}

}  // namespace cuset::execute
