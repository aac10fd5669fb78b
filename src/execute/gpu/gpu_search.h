// The GPU as seen from outside: this process never opens a CUDA context of its own. A small program,
// cuset_gpu_probe, asks the driver and, where wanted, runs a kernel, so that a driver that hangs or crashes
// takes only the probe with it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/machine/gpu.h"

namespace cuset::execute {

struct GpuProbe {
  std::optional<base::GpuInfo> device;
  bool healthy = false;  // a kernel ran and its result was right
  std::string problem;   // what failed, in words; empty where nothing did
};

enum class ProbeDepth { kDescribe, kRunKernel };

// Asks for device number `index`. `environment` is added to the probe's own.
GpuProbe probe_gpu(int index, ProbeDepth depth, const std::map<std::string, std::string>& environment = {});

// The probe's answer out of its lines "key value"; for tests.
GpuProbe parse_gpu_probe(std::string_view text);

// The kernel that the probe runs.
inline constexpr const char* kHealthKernel = "cuset_health";

}  // namespace cuset::execute
