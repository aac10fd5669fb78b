// Kernels and variables of device code that lives in another process (remote_device.h), and the device code
// itself where the program brings it along.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cuset_emulator {

struct RemoteVariable {
  std::string name;  // mangled
  uint64_t address = 0;
  uint64_t bytes = 0;
};

struct RemoteKernel {
  std::string name;  // mangled
  std::vector<uint32_t> argument_sizes;
  uint32_t static_shared_bytes = 0;
  uint32_t most_threads = 0;
};

// What a compiler for GPUs embedded in the program ("fat binary"), and which of its names the program uses.
struct RemoteImage {
  std::span<const char> bytes;
  std::vector<std::string> kernels;
  std::vector<std::string> variables;
};

struct RemoteSymbols {
  std::vector<RemoteKernel> kernels;
  std::vector<RemoteVariable> variables;
};

}  // namespace cuset_emulator
