#include "sandbox/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/files/file.h"

namespace cuset::sandbox {
namespace {

// A file of /proc, "" if its process is gone.
std::string content_of(const std::string& path) {
  const base::FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return "";
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count <= 0) return text;
    text.append(buffer, static_cast<size_t>(count));
  }
}

// The names in a folder that are numbers.
std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> result;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), &::closedir);
  if (!open) return result;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    pid_t number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ptr == name.data() + name.size()) result.push_back(number);
  }
  return result;
}

// From /proc/<pid>/stat; zeros if the process is gone.
struct Stat {
  pid_t parent = 0;
  uint64_t ticks = 0;  // user and system time, own and of waited-for children
  uint64_t threads = 0;
  uint64_t pages = 0;
};

Stat stat_of(pid_t process) {
  const std::string text = content_of("/proc/" + std::to_string(process) + "/stat");
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::vector<int64_t> fields;
  const char* at = text.data() + name_end + 4;  // behind the name, which may hold anything, and the state
  const char* end = text.data() + text.size();
  while (at < end && fields.size() < 22) {
    int64_t value = 0;
    const auto parsed = std::from_chars(at, end, value);
    fields.push_back(value);
    at = parsed.ptr + 1;
  }
  if (fields.size() < 22) return {};
  // proc(5) numbers: ppid 4, utime 14, stime 15, cutime 16, cstime 17, num_threads 20, rss 24.
  const auto field = [&](size_t number) { return static_cast<uint64_t>(fields[number - 4]); };
  return {.parent = static_cast<pid_t>(field(4)),
          .ticks = field(14) + field(15) + field(16) + field(17),
          .threads = field(20),
          .pages = field(24)};
}

bool kernel_lists_children() {
  static const bool listed = ::access("/proc/thread-self/children", R_OK) == 0;
  return listed;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> result;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const pid_t task : numbers_in(tasks)) {
    const std::string text = content_of(tasks + "/" + std::to_string(task) + "/children");
    const char* at = text.data();
    pid_t child = 0;
    while (true) {
      const auto parsed = std::from_chars(at, text.data() + text.size(), child);
      if (parsed.ec != std::errc()) break;
      result.push_back(child);
      at = parsed.ptr + 1;
    }
  }
  return result;
}

// For kernels without lists of children: one look at every process.
std::unordered_map<pid_t, std::vector<pid_t>> children_by_parent() {
  std::unordered_map<pid_t, std::vector<pid_t>> result;
  for (const pid_t process : all_processes()) result[stat_of(process).parent].push_back(process);
  return result;
}

}  // namespace

std::vector<pid_t> all_processes() { return numbers_in("/proc"); }

std::vector<pid_t> tree_of(pid_t root, size_t most) {
  std::unordered_map<pid_t, std::vector<pid_t>> all;
  if (!kernel_lists_children()) all = children_by_parent();
  std::vector<pid_t> result{root};
  for (size_t next = 0; next < result.size() && result.size() <= most; ++next) {
    const std::vector<pid_t> children =
        kernel_lists_children() ? children_of(result[next]) : all[result[next]];
    result.insert(result.end(), children.begin(), children.end());
  }
  return result;
}

TreeUsage usage_of(const std::vector<pid_t>& processes) {
  static const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  static const auto tick = static_cast<double>(::sysconf(_SC_CLK_TCK));
  TreeUsage usage;
  for (const pid_t process : processes) {
    const Stat stat = stat_of(process);
    usage.threads += stat.threads;
    usage.memory += stat.pages * page;
    usage.cpu_seconds += static_cast<double>(stat.ticks) / tick;
  }
  return usage;
}

uint64_t proportional_memory(const std::vector<pid_t>& processes) {
  uint64_t total = 0;
  for (const pid_t process : processes) {
    const std::string text = content_of("/proc/" + std::to_string(process) + "/smaps_rollup");
    constexpr std::string_view kKey = "\nPss:";
    const size_t at = text.find(kKey);
    if (at == std::string::npos) {  // a process may hide its maps, but not its size
      total += usage_of({process}).memory;
      continue;
    }
    uint64_t kib = 0;
    const size_t digits = text.find_first_not_of(' ', at + kKey.size());
    std::from_chars(text.data() + digits, text.data() + text.size(), kib);
    total += kib * 1024;
  }
  return total;
}

}  // namespace cuset::sandbox
