// The GPU as seen from outside: this process never opens a CUDA context of its own. A small program,
// cuset_gpu_probe, asks the driver and, where wanted, runs a kernel, so that a driver that hangs or crashes
// takes only the probe with it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cuset {

struct GpuDevice {
  std::string name;          // "NVIDIA H200"
  std::string uuid;          // "GPU-5f2c...": names it to the programs that run on it
  std::string architecture;  // "sm_90"
  uint64_t memory = 0;       // bytes
  uint64_t bandwidth = 0;    // of its memory, bytes a second by clock and width; 0: the driver does not say
  uint64_t cache = 0;        // bytes of its last cache
  int driver = 0;            // CUDA version it serves: 13000
  std::filesystem::path library;  // the driver's libcuda.so.1
};

struct GpuProbe {
  std::optional<GpuDevice> device;
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

}  // namespace cuset
