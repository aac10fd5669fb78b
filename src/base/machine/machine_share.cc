#include "base/machine/machine_share.h"

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

namespace cuset::base {
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

// Numbers separated by blanks, until something else comes.
std::vector<uint64_t> numbers_in(std::string_view text) {
  std::vector<uint64_t> numbers;
  for (auto number = number_in(text); number; number = number_in(text)) {
    numbers.push_back(*number);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text.remove_prefix(std::min(text.find_first_of(" \t"), text.size()));
  }
  return numbers;
}

// Adds a line "cpu3 user nice system idle iowait irq softirq steal ..." of /proc/stat.
void add_processor(std::string_view line, const cpu_set_t& own, ProcessorTimes& times) {
  constexpr std::string_view kStart = "cpu";
  enum { kUser, kNice, kSystem, kIdle, kWaiting, kInterrupts, kSoftInterrupts, kStolen, kColumns };
  if (!line.starts_with(kStart)) return;
  line.remove_prefix(kStart.size());
  if (line.starts_with(' ')) return;  // the sum of all
  const std::optional<uint64_t> number = number_in(line);
  if (!number || *number >= CPU_SETSIZE || !CPU_ISSET(*number, &own)) return;
  const std::vector<uint64_t> ticks = numbers_in(line.substr(std::min(line.find(' '), line.size())));
  if (ticks.size() < kColumns) return;
  ++times.processors;
  for (int column = 0; column < kColumns; ++column) {
    times.all += ticks[column];
    if (column != kIdle && column != kWaiting) times.busy += ticks[column];
  }
}

// utime, stime, cutime and cstime of proc(5).
std::optional<uint64_t> own_ticks(const MachineFiles& files) {
  constexpr size_t kFirst = 14 - 4;  // columns after the state, which is the third
  const std::string text = control_file_text(files.processes / "self/stat");
  const size_t name_end = text.rfind(')');  // of the program, which may hold anything
  if (name_end == std::string::npos || text.size() < name_end + 4) return std::nullopt;
  uint64_t ticks = 0;
  size_t column = 0;
  std::string_view rest = std::string_view(text).substr(name_end + 4);
  for (; column < kFirst + 4 && !rest.empty(); ++column) {
    if (column >= kFirst) ticks += number_in(rest).value_or(0);
    rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
  }
  return column == kFirst + 4 ? std::optional(ticks) : std::nullopt;
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
  // Not of more than a thousand processors
  const bool is_known = ::sched_getaffinity(0, sizeof set, &set) == 0;
  double processors = is_known ? CPU_COUNT(&set) : std::thread::hardware_concurrency();
  for (const fs::path& group : group_folders(files, "cpu"))
    processors = std::min(processors, quota_of(group));
  return static_cast<uint32_t>(std::max(1.0, std::ceil(processors)));
}

uint32_t usable_processors() {
  static const uint32_t processors = usable_processors(MachineFiles());
  return processors;
}

std::optional<ProcessorTimes> processor_times(const MachineFiles& files) {
  cpu_set_t own;
  CPU_ZERO(&own);
  if (::sched_getaffinity(0, sizeof own, &own) != 0) return std::nullopt;
  ProcessorTimes times;
  const std::string text = control_file_text(files.processes / "stat");
  for (const std::string_view line : lines_of(text)) add_processor(line, own, times);
  const std::optional<uint64_t> ours = own_ticks(files);
  if (!ours || times.processors != static_cast<uint64_t>(CPU_COUNT(&own))) return std::nullopt;
  times.own = *ours;
  return times;
}

uint32_t free_processors(uint32_t usable, const std::optional<ProcessorTimes>& before,
                         const std::optional<ProcessorTimes>& after) {
  constexpr double kFewestTicks = 5;
  if (!before || !after || before->processors != after->processors) return usable;
  // Ticks of an idle processor may go backwards by one or two.
  const auto passed = [](uint64_t from, uint64_t to) {
    return static_cast<double>(to) - static_cast<double>(from);
  };
  const auto processors = static_cast<double>(after->processors);
  const double ticks = passed(before->all, after->all) / processors;
  if (ticks < kFewestTicks) return usable;
  const double others = passed(before->busy, after->busy) - passed(before->own, after->own);
  const double idle = std::round(processors - others / ticks);
  return static_cast<uint32_t>(std::clamp(idle, 1.0, static_cast<double>(usable)));
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

}  // namespace cuset::base
