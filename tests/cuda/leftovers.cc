#include "cuda/leftovers.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

std::set<std::string> lines_of_file(const fs::path& file, size_t skipped = 0) {
  std::set<std::string> lines;
  std::ifstream stream(file);
  std::string line;
  for (size_t i = 0; std::getline(stream, line); ++i) {
    if (i >= skipped) lines.insert(fmt::format("{}: {}", file.string(), line));
  }
  return lines;
}

// Files of /proc have no size to ask for.
std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

// Ours carry our process's number, see sandbox/resource_group.cc; others may work beside us.
std::set<std::string> own_groups() {
  std::set<std::string> groups;
  const std::string mark = fmt::format("cuset-{}-", ::getpid());
  std::error_code failed;
  fs::recursive_directory_iterator entry("/sys/fs/cgroup", fs::directory_options::skip_permission_denied,
                                         failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (entry->path().filename().string().starts_with(mark)) groups.insert(entry->path().string());
  }
  return groups;
}

// "pid (name) state parent ...": the name may contain anything, so the last bracket counts.
pid_t parent_of(const std::string& stat) {
  const size_t bracket = stat.rfind(')');
  pid_t parent = 0;
  char state = 0;
  if (bracket != std::string::npos) std::istringstream(stat.substr(bracket + 1)) >> state >> parent;
  return state == 'Z' ? 0 : parent;
}

std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> all;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    all[std::stoi(name)] = parent_of(content_of(entry.path() / "stat"));
  }
  return all;
}

bool descends_from_us(pid_t pid, const std::map<pid_t, pid_t>& parents) {
  for (auto at = parents.find(pid); at != parents.end(); at = parents.find(at->second)) {
    if (at->second == ::getpid()) return true;
  }
  return false;
}

}  // namespace

MachineState machine_state() {
  MachineState state;
  state.mounts = lines_of_file("/proc/self/mountinfo");
  state.groups = own_groups();
  for (const char* kind : {"shm", "sem", "msg"})
    state.objects.merge(lines_of_file(fs::path("/proc/sysvipc") / kind, 1));
  return state;
}

std::string state_differences(const MachineState& before, const MachineState& after) {
  std::string lines;
  const auto compare = [&](const std::set<std::string>& a, const std::set<std::string>& b, const char* text) {
    for (const std::string& item : a) {
      if (!b.contains(item)) lines += fmt::format("{}: {}\n", text, item);
    }
  };
  compare(after.mounts, before.mounts, "a new mount");
  compare(before.mounts, after.mounts, "a mount is gone");
  compare(after.groups, before.groups, "a control group is left");
  compare(after.objects, before.objects, "an object of System V is left");
  return lines;
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::string living_processes(const std::string& token) {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  std::string lines;
  const std::map<pid_t, pid_t> all = parents();
  for (const auto& [pid, parent] : all) {
    if (pid == ::getpid() || pid == ::getppid() || parent == 0) continue;
    const fs::path folder = fs::path("/proc") / std::to_string(pid);
    std::string arguments = content_of(folder / "cmdline");
    const bool is_marked = (arguments + content_of(folder / "environ")).find(token) != std::string::npos;
    if (!is_marked && !descends_from_us(pid, all)) continue;
    std::replace(arguments.begin(), arguments.end(), '\0', ' ');
    lines += fmt::format("process {} is alive: {}\n", pid, base::in_quotes(arguments, 200));
  }
  return lines;
}

std::string files_left(const std::string& token, std::vector<fs::path> folders) {
  for (const char* folder : {"/", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/etc",
                             "/etc/cron.d", "/etc/ld.so.conf.d", "/root", "/usr/bin", "/usr/include",
                             "/usr/lib", "/usr/local/bin", "/opt", "/sys/fs/cgroup", "."}) {
    folders.emplace_back(folder);
  }
  std::string lines;
  for (const fs::path& folder : folders) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      if (entry.path().filename().string().find(token) != std::string::npos)
        lines += fmt::format("{} is left\n", entry.path().string());
    }
  }
  return lines;
}

}  // namespace cuset::tests
