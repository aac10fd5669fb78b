#include "support/fault_injection.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <random>
#include <string_view>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::support {
namespace {

constexpr uid_t kNobody = 65534;
constexpr int kForbidden = 77;

struct Pipe {
  Pipe() {
    int ends[2];
    CUSET_CHECK(::pipe2(ends, O_CLOEXEC) == 0, "pipe: {}", base::errno_text(errno));
    out = base::FileDescriptor(ends[0]);
    in = base::FileDescriptor(ends[1]);
  }
  base::FileDescriptor out, in;
};

std::string read_all(int fd) {
  std::string all;
  char block[4096];
  while (const size_t count = base::read_some(fd, block, sizeof block, "pipe")) all.append(block, count);
  return all;
}

std::string text_of(const ChildWork& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Forks. The child exits with kForbidden where `prepare` fails, else sends what `work` says.
std::optional<std::string> run_in_child(const std::function<bool()>& prepare, const ChildWork& work) {
  Pipe pipe;
  const pid_t child = ::fork();
  CUSET_CHECK(child >= 0, "fork: {}", base::errno_text(errno));
  if (child == 0) {
    if (!prepare()) ::_exit(kForbidden);
    const std::string text = text_of(work);
    const ssize_t sent = ::write(pipe.in.get(), text.data(), text.size());
    ::_exit(sent == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  pipe.in.reset();
  const std::string text = read_all(pipe.out.get());
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kForbidden) return std::nullopt;
  return status == 0 ? text : fmt::format("the child ended with status {:#x}: {}", status, text);
}

bool write_text(const char* path, std::string_view text) {
  const base::FileDescriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  return file.is_open() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// A user namespace gives an ordinary user the right to mount inside it. Where those are switched off, root
// needs none.
bool enter_own_mounts() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return ::unshare(CLONE_NEWNS) == 0;
  return write_text("/proc/self/setgroups", "deny") &&
         write_text("/proc/self/uid_map", fmt::format("0 {} 1", user)) &&
         write_text("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

bool mount_small_disk(const std::filesystem::path& folder, size_t bytes) {
  const std::string size = fmt::format("size={}", bytes);
  return enter_own_mounts() && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", folder.c_str(), "tmpfs", 0, size.c_str()) == 0;
}

}  // namespace

std::optional<std::string> run_on_small_disk(const std::filesystem::path& folder, size_t bytes,
                                             const ChildWork& work) {
  return run_in_child([&] { return mount_small_disk(folder, bytes); }, work);
}

std::optional<std::string> run_as_ordinary_user(const ChildWork& work) {
  const auto drop_rights = [] {
    if (::geteuid() != 0) return true;
    return ::setresgid(kNobody, kNobody, kNobody) == 0 && ::setresuid(kNobody, kNobody, kNobody) == 0;
  };
  return run_in_child(drop_rights, work);
}

void kill_at_random_moment(const std::function<void(const std::function<void()>& begun)>& work, uint32_t seed,
                           uint32_t microseconds) {
  Pipe pipe;
  const pid_t child = ::fork();
  CUSET_CHECK(child >= 0, "fork: {}", base::errno_text(errno));
  if (child == 0) {
    try {
      work([&] { pipe.in.reset(); });
    } catch (...) {
      // The parent sees that the child was not killed.
    }
    ::_exit(1);
  }
  pipe.in.reset();
  read_all(pipe.out.get());
  std::minstd_rand random(seed);
  ::usleep(std::uniform_int_distribution<uint32_t>(0, microseconds)(random));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CUSET_CHECK(WIFSIGNALED(status), "the child ended by itself with status {:#x}", status);
}

}  // namespace cuset::support
