#include "execute/gpu/gpu_search.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <vector>

#include "base/error.h"
#include "execute/gpu/installed_file.h"
#include "sandbox/process.h"

namespace cuset::execute {
namespace {

// A first context on a cold machine takes seconds.
constexpr std::chrono::seconds kTimeLimit{60};

template <typename Number>
Number number_of(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void read_capability(std::string_view text, base::GpuInfo& device) {
  const size_t dot = std::min(text.find('.'), text.size());
  device.compute_major = number_of<int>(text.substr(0, dot));
  device.compute_minor = number_of<int>(text.substr(std::min(dot + 1, text.size())));
}

void read_line(std::string_view key, std::string_view value, base::GpuInfo& device, GpuProbe& probe) {
  if (key == "name") device.name = value;
  if (key == "uuid") device.uuid = value;
  if (key == "capability") read_capability(value, device);
  if (key == "multiprocessors") device.multiprocessors = number_of<int>(value);
  if (key == "memory") device.memory_bytes = number_of<uint64_t>(value);
  if (key == "bandwidth") device.memory_bandwidth = number_of<uint64_t>(value);
  if (key == "cache") device.cache_bytes = number_of<uint64_t>(value);
  if (key == "threads") device.threads_per_multiprocessor = number_of<uint32_t>(value);
  if (key == "blocks") device.blocks_per_multiprocessor = number_of<uint32_t>(value);
  if (key == "registers") device.registers_per_multiprocessor = number_of<uint32_t>(value);
  if (key == "shared") device.shared_bytes_per_multiprocessor = number_of<uint64_t>(value);
  if (key == "reserved_shared") device.reserved_shared_bytes_per_block = number_of<uint64_t>(value);
  if (key == "clock") device.clock_hertz = number_of<uint64_t>(value);
  if (key == "cuda") device.cuda_version = number_of<int>(value);
  if (key == "driver") device.driver_version = value;
  if (key == "library") device.driver_library = value;
  if (key == "healthy") probe.healthy = value == "yes";
  if (key == "problem") probe.problem = value;
}

}  // namespace

GpuProbe parse_gpu_probe(std::string_view text) {
  GpuProbe probe;
  base::GpuInfo device;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (const size_t space = line.find(' '); space != line.npos) {
      read_line(line.substr(0, space), line.substr(space + 1), device, probe);
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  if (device.compute_major > 0) probe.device = device;
  return probe;
}

GpuProbe probe_gpu(int index, ProbeDepth depth, const std::map<std::string, std::string>& environment) {
  const std::filesystem::path program = find_installed_file("cuset_gpu_probe", CUSET_GPU_PROBE);
  GpuProbe probe;
  if (program.empty()) {
    probe.problem = "cuset_gpu_probe is not beside this program";
    return probe;
  }
  std::vector<std::string> arguments{"env"};
  for (const auto& [name, value] : environment) arguments.push_back(fmt::format("{}={}", name, value));
  arguments.insert(arguments.end(), {program.string(), std::to_string(index)});
  if (depth == ProbeDepth::kRunKernel) arguments.emplace_back("--run");
  const sandbox::ProcessResult answer = sandbox::run_process(arguments, {.time_limit = kTimeLimit});
  probe = parse_gpu_probe(answer.output);
  if (answer.timed_out) probe.problem = "the driver did not answer within 60 s";
  if (answer.signal != 0) probe.problem = fmt::format("the driver crashed (signal {})", answer.signal);
  if (!answer.succeeded()) probe.healthy = false;
  if (!answer.succeeded() && probe.problem.empty()) probe.problem = "the probe could not be started";
  return probe;
}

}  // namespace cuset::execute
