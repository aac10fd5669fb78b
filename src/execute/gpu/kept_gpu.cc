#include "execute/gpu/kept_gpu.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "execute/gpu/installed_file.h"

namespace cuset::execute {

KeptGpu::KeptGpu(int index) {
  const std::filesystem::path program = find_installed_file("cuset_gpu_probe", CUSET_GPU_PROBE);
  int ends[2];
  if (program.empty() || ::pipe2(ends, O_CLOEXEC) != 0) return;
  const base::FileDescriptor read_end(ends[0]);
  lifeline_ = base::FileDescriptor(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, read_end.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = program.string(), number = std::to_string(index), keep = "--keep";
  char* arguments[] = {name.data(), number.data(), keep.data(), nullptr};
  if (::posix_spawn(&process_, name.c_str(), &actions, nullptr, arguments, environ) != 0) process_ = -1;
  ::posix_spawn_file_actions_destroy(&actions);
}

KeptGpu::~KeptGpu() {
  lifeline_ = base::FileDescriptor();
  if (process_ > 0) ::kill(process_, SIGKILL);  // the driver may not answer
  while (process_ > 0 && ::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace cuset::execute
