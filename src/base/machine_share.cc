#include "base/machine_share.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/lines.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// Empty where it cannot be read: other kernels and containers leave files out.
std::string text_of(const fs::path& file) {
  try {
    return read_file(file);
  } catch (const Error&) {
    return "";
  }
}

// The number that the text begins with, after blanks.
std::optional<uint64_t> number_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// A process's place in one hierarchy of control groups, a line "4:cpu,cpuacct:/path" of /proc/self/cgroup.
struct GroupPlace {
  std::string_view controllers;  // empty: version 2
  std::string_view path;
};

std::optional<GroupPlace> group_place(std::string_view line) {
  const size_t first = line.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const size_t second = line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return GroupPlace{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

bool has_controller(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// The folders of a group and of all around it. Inside a container the path may be one that only the host
// has; its own root is what counts then, and is the last of the list.
void add_with_parents(const fs::path& root, std::string_view path, std::vector<fs::path>& folders) {
  fs::path inner = fs::path(path).relative_path().lexically_normal();
  for (; !inner.empty(); inner = inner.parent_path()) folders.push_back(root / inner);
  folders.push_back(root);
}

// Where limits that `controller` keeps can stand.
std::vector<fs::path> group_folders(const MachineFiles& files, std::string_view controller) {
  std::vector<fs::path> folders;
  const std::string text = text_of(files.processes / "self/cgroup");
  for (const std::string_view line : lines_of(text)) {
    const std::optional<GroupPlace> place = group_place(line);
    if (!place) continue;
    if (place->controllers.empty()) {
      add_with_parents(files.groups, place->path, folders);
    } else if (has_controller(place->controllers, controller)) {
      add_with_parents(files.groups / place->controllers, place->path, folders);
      add_with_parents(files.groups / controller, place->path, folders);
    }
  }
  return folders;
}

// Processors' worth of time that a group pays for; without a limit infinite.
double quota_of(const fs::path& group) {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  const std::string both = text_of(group / "cpu.max");  // "200000 100000" or "max 100000"
  std::optional<uint64_t> quota = number_in(both);
  std::optional<uint64_t> period =
      number_in(std::string_view(both).substr(std::min(both.find(' '), both.size())));
  if (both.empty()) {
    quota = number_in(text_of(group / "cpu.cfs_quota_us"));  // -1: no limit
    period = number_in(text_of(group / "cpu.cfs_period_us"));
  }
  if (!quota || !period || *quota == 0 || *period == 0) return kAll;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

uint64_t memory_of_machine(const MachineFiles& files) {
  constexpr std::string_view kTotal = "MemTotal:";
  const std::string text = text_of(files.processes / "meminfo");
  for (const std::string_view line : lines_of(text))
    if (line.starts_with(kTotal)) return number_in(line.substr(kTotal.size())).value_or(0) * 1024;
  return 0;
}

}  // namespace

uint32_t usable_processors(const MachineFiles& files) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool is_known =
      ::sched_getaffinity(0, sizeof set, &set) == 0;  // not of more than a thousand processors
  double processors = is_known ? CPU_COUNT(&set) : std::thread::hardware_concurrency();
  for (const fs::path& group : group_folders(files, "cpu"))
    processors = std::min(processors, quota_of(group));
  return static_cast<uint32_t>(std::max(1.0, std::ceil(processors)));
}

uint32_t usable_processors() {
  static const uint32_t processors = usable_processors(MachineFiles());
  return processors;
}

uint64_t usable_memory(const MachineFiles& files) {
  uint64_t memory = memory_of_machine(files);
  for (const fs::path& group : group_folders(files, "memory")) {
    for (const char* file : {"memory.max", "memory.limit_in_bytes"}) {
      const std::optional<uint64_t> limit = number_in(text_of(group / file));
      if (limit && *limit > 0) memory = std::min(memory, *limit);
    }
  }
  return memory;
}

}  // namespace cuset
