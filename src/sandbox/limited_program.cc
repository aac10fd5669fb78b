#include "sandbox/limited_program.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "base/error.h"
#include "base/files/file.h"
#include "sandbox/folder_walk.h"
#include "sandbox/landlock.h"
#include "sandbox/process_tree.h"
#include "sandbox/process_wait.h"
#include "sandbox/system_call_filter.h"

namespace cuset::sandbox {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLimitedDeathTime{20'000};

// Below the limit we have ourselves, which is almost always infinite.
rlim_t random_mark() {
  rlimit now{};
  ::getrlimit(RLIMIT_RTTIME, &now);
  std::random_device device;
  const uint64_t random = (static_cast<uint64_t>(device()) << 32 | device()) >> 2;
  return now.rlim_max == RLIM_INFINITY ? random : random % now.rlim_max;
}

// A user that exists nowhere else, one per folder: root's programs can then neither change root's files nor
// signal root's processes, nor each other's, and the limit on processes binds them.
uid_t user_of(const std::filesystem::path& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) throw base::file_error("look at", folder, errno);
  constexpr uint32_t kFirst = 0x40000000;
  const uint64_t mixed = (status.st_ino ^ (static_cast<uint64_t>(status.st_dev) << 40)) * 0x9e3779b97f4a7c15;
  return kFirst + static_cast<uid_t>(mixed >> 34);
}

// RLIMIT_NPROC counts all processes of the user, ours among them.
uint64_t threads_of(uid_t user) {
  std::vector<pid_t> own;
  for (const pid_t process : all_processes()) {
    struct stat status{};
    if (::stat(("/proc/" + std::to_string(process)).c_str(), &status) == 0 && status.st_uid == user) {
      own.push_back(process);
    }
  }
  return usage_of(own).threads;
}

std::vector<std::string> environment_of(const SandboxedCommand& command) {
  std::map<std::string, std::string> all = command.environment;
  all.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  all.emplace("HOME", command.folder.string());
  all.emplace("TMPDIR", command.folder.string());
  std::vector<std::string> result;
  for (const auto& [name, value] : all) result.push_back(fmt::format("{}={}", name, value));
  return result;
}

std::string limits_of(pid_t process) {
  try {
    return base::read_file("/proc/" + std::to_string(process) + "/limits");
  } catch (const base::Error&) {
    return "";  // it is gone
  }
}

}  // namespace

LimitedProgram::LimitedProgram(const SandboxedCommand& command, ChildStart start) {
  const uid_t user = ::geteuid() == 0 ? user_of(command.folder) : ::getuid();
  if (::geteuid() == 0) hand_over_folder(command.folder, user);
  const rlim_t mark = random_mark();
  mark_ = std::to_string(mark);
  start.arguments = command.arguments;
  start.environment = environment_of(command);
  start.folder = command.folder;
  start.limits.push_back({RLIMIT_RTTIME, mark});
  const uint64_t others = ::geteuid() == 0 ? 0 : threads_of(user);
  start.limits.push_back({RLIMIT_NPROC, others + command.limits.processes});
  start.user = ::geteuid() == 0 ? user : 0;
  const base::FileDescriptor rules = make_landlock_rules(command.folder);
  start.landlock_rules = rules.get();
  start.filter = system_call_filter(command.gpu ? FilterKind::kGpu : FilterKind::kPlain);
  child_ = start_child(start);
  ended_ = child_.process < 0;
}

LimitedProgram::~LimitedProgram() {
  if (!ended_) LimitedProgram::end();
}

std::string LimitedProgram::failure() const {
  if (child_.process >= 0) return "";
  return fmt::format("cannot {}: {}", child_.step, base::errno_text(child_.error_number));
}

bool LimitedProgram::has_ended() const { return is_waitable(child_.process); }

// Whoever loses its parent becomes our child (OrphanAdoption), so that all are descendants of ours.
std::vector<pid_t> LimitedProgram::marked() const {
  std::vector<pid_t> result;
  for (const pid_t process : tree_of(::getpid())) {
    if (limits_of(process).find(mark_) != std::string::npos) result.push_back(process);
  }
  return result;
}

// A stopped process makes no new ones: the number of those that still run shrinks to none.
void LimitedProgram::stop_all() const {
  std::vector<pid_t> before;
  while (true) {
    std::vector<pid_t> now = marked();
    std::sort(now.begin(), now.end());
    if (std::includes(before.begin(), before.end(), now.begin(), now.end())) return;
    for (const pid_t process : now) ::kill(process, SIGSTOP);
    before = std::move(now);
  }
}

ProgramEnd LimitedProgram::end() {
  ended_ = true;
  ProgramEnd end;
  const auto deadline = std::chrono::steady_clock::now() + kLimitedDeathTime;
  stop_all();
  while (true) {
    const std::vector<pid_t> alive = marked();
    if (alive.empty()) return end;
    if (std::chrono::steady_clock::now() > deadline) {
      throw base::Error("process {} of a sandbox does not die: a driver holds it", alive.front());
    }
    for (const pid_t process : alive) ::kill(process, SIGKILL);
    for (const pid_t process : alive) {
      const std::optional<Waited> waited =
          wait_for(process, milliseconds(process == child_.process ? 1000 : 5));
      if (!waited) continue;  // its parent must die first
      end.cpu_seconds += waited->cpu_seconds;
      end.peak_memory = std::max(end.peak_memory, waited->peak_memory);
      if (process != child_.process) continue;
      end.exit_status = waited->exit_status;
      end.signal = waited->signal;
    }
  }
}

}  // namespace cuset::sandbox
