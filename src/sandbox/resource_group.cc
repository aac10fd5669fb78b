#include "sandbox/resource_group.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <mutex>
#include <string_view>

#include "base/error.h"
#include "base/machine/control_group.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "cuset-";
const fs::path kMounts = "/sys/fs/cgroup";

bool put(const fs::path& file, const std::string& text) {
  const base::FileDescriptor fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd.is_open() && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

uint64_t number_after(const std::string& text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string::npos) return 0;
  uint64_t value = 0;
  std::from_chars(text.data() + at + key.size(), text.data() + text.size(), value);
  return value;
}

bool remove_group(const fs::path& folder) {
  // A killed process leaves its group a moment after it was waited for.
  for (int attempt = 0; attempt < 2000; ++attempt) {
    if (::rmdir(folder.c_str()) == 0 || errno == ENOENT) return true;
    if (errno != EBUSY) return false;
    ::usleep(attempt < 50 ? 100 : 1000);
  }
  return false;
}

// Groups of programs that were killed before they could remove them: empty, and their maker is dead.
void remove_abandoned(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const auto maker = static_cast<pid_t>(number_after(name, kPrefix));
    if (maker > 0 && ::kill(maker, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

std::string next_name() {
  static std::atomic<uint64_t> count = 0;
  return fmt::format("{}{}-{}", kPrefix, ::getpid(), ++count);
}

}  // namespace

ResourceGroup::ResourceGroup(const GroupLimits& limits) : name_(next_name()) {
  if (make_unified(limits)) {
    description_ = "v2, memory and pids";
    return;
  }
  make_separate(limits);
  if (limits_memory() || limits_processes()) {
    description_ = fmt::format("v1, {}", !limits_processes() ? "memory only"
                                         : limits_memory()   ? "memory and pids"
                                                             : "pids only");
  } else {
    description_ = "no group with a memory or pids controller that we may make groups in";
  }
}

ResourceGroup::~ResourceGroup() {
  entrances_.clear();
  for (const fs::path& folder : folders_) remove_group(folder);
}

bool ResourceGroup::enter(const fs::path& folder, const char* entrance) {
  base::FileDescriptor file(::open((folder / entrance).c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return false;
  entrances_.push_back(std::move(file));
  return true;
}

// A group with processes cannot hold limited groups, hence the way up.
bool ResourceGroup::make_unified(const GroupLimits& limits) {
  fs::path parent = base::own_control_group("");
  std::error_code ignored;
  if (parent.empty() || !fs::exists(kMounts / "cgroup.controllers", ignored)) return false;
  for (; parent.native().size() >= kMounts.native().size(); parent = parent.parent_path()) {
    const fs::path folder = parent / name_;
    // Moving a process needs the right to write into the nearest group above both places.
    if (::access((parent / "cgroup.procs").c_str(), W_OK) != 0) continue;
    if (::mkdir(folder.c_str(), 0755) != 0) continue;
    if (put(folder / "memory.max", std::to_string(limits.memory)) &&
        put(folder / "pids.max", std::to_string(limits.processes)) && enter(folder, "cgroup.procs")) {
      put(folder / "memory.swap.max", "0");
      put(folder / "memory.oom.group", "1");
      static std::once_flag once;
      std::call_once(once, remove_abandoned, parent);
      folders_.push_back(folder);
      memory_folder_ = processes_folder_ = folder;
      return true;
    }
    ::rmdir(folder.c_str());
  }
  return false;
}

void ResourceGroup::make_separate(const GroupLimits& limits) {
  const auto make = [&](const char* controller, const char* limit_file, uint64_t limit) -> fs::path {
    const fs::path parent = base::own_control_group(controller);
    fs::path folder = parent / name_;
    if (parent.empty() || ::mkdir(folder.c_str(), 0755) != 0) return {};
    // "tasks" takes the writer alone, which is a hundred times faster than "cgroup.procs".
    if (put(folder / limit_file, std::to_string(limit)) && enter(folder, "tasks")) {
      folders_.push_back(folder);
      return folder;
    }
    ::rmdir(folder.c_str());
    return {};
  };
  memory_folder_ = make("memory", "memory.limit_in_bytes", limits.memory);
  if (limits_memory()) put(memory_folder_ / "memory.memsw.limit_in_bytes", std::to_string(limits.memory));
  processes_folder_ = make("pids", "pids.max", limits.processes);
  static std::once_flag once;
  std::call_once(once, [&] {
    for (const fs::path& folder : folders_) remove_abandoned(folder.parent_path());
  });
}

std::vector<int> ResourceGroup::entrances() const {
  std::vector<int> result;
  for (const base::FileDescriptor& file : entrances_) result.push_back(file.get());
  return result;
}

uint64_t ResourceGroup::memory_kills() const {
  if (!limits_memory()) return 0;
  const std::string events = base::control_file_text(memory_folder_ / "memory.events");
  return number_after(
      events.empty() ? base::control_file_text(memory_folder_ / "memory.oom_control") : events, "oom_kill ");
}

uint64_t ResourceGroup::peak_memory() const {
  if (!limits_memory()) return 0;
  const std::string peak = base::control_file_text(memory_folder_ / "memory.peak");
  return number_after(
      peak.empty() ? base::control_file_text(memory_folder_ / "memory.max_usage_in_bytes") : peak, "");
}

}  // namespace cuset::sandbox
