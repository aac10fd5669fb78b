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

#include "base/lines.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// The number that the text begins with, after blanks.
std::optional<uint64_t> number_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Our groups of both versions and all groups around them: where limits that `controller` keeps can stand.
std::vector<fs::path> group_folders(const MachineFiles& files, std::string_view controller) {
  std::vector<fs::path> folders;
  for (const std::string_view hierarchy : {std::string_view(), controller}) {
    fs::path folder = own_control_group(hierarchy, files);
    for (; !folder.empty() && folder != files.groups; folder = folder.parent_path())
      folders.push_back(folder);
  }
  folders.push_back(files.groups);
  return folders;
}

// Processors' worth of time that a group pays for; without a limit infinite.
double quota_of(const fs::path& group) {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  const std::string both = control_file_text(group / "cpu.max");  // "200000 100000" or "max 100000"
  std::optional<uint64_t> quota = number_in(both);
  std::optional<uint64_t> period =
      number_in(std::string_view(both).substr(std::min(both.find(' '), both.size())));
  if (both.empty()) {
    quota = number_in(control_file_text(group / "cpu.cfs_quota_us"));  // -1: no limit
    period = number_in(control_file_text(group / "cpu.cfs_period_us"));
  }
  if (!quota || !period || *quota == 0 || *period == 0) return kAll;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

uint64_t memory_of_machine(const MachineFiles& files) {
  constexpr std::string_view kTotal = "MemTotal:";
  const std::string text = control_file_text(files.processes / "meminfo");
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
      const std::optional<uint64_t> limit = number_in(control_file_text(group / file));
      if (limit && *limit > 0) memory = std::min(memory, *limit);
    }
  }
  return memory;
}

}  // namespace cuset
