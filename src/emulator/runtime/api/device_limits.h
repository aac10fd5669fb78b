// Limits of every device since compute capability 8.0; what differs is in runtime/remote/device_traits.h.
#pragma once

#include <cstdint>

namespace cuset_emulator {

constexpr uint32_t kWarpSize = 32;
constexpr uint32_t kThreadsPerBlock = 1024;
constexpr uint32_t kBlockLimits[3] = {1024, 1024, 64};
constexpr uint32_t kGridLimits[3] = {2147483647, 65535, 65535};
constexpr uint32_t kThreadsPerMultiprocessor = 2048;
constexpr uint32_t kBlocksPerMultiprocessor = 32;
constexpr uint32_t kRegistersPerBlock = 65536;
constexpr uint32_t kPortableClusterBlocks = 8;
constexpr uint32_t kClusterBlocks = 16;         // where the kernel allows sizes that not every device has
constexpr uint64_t kSharedPerBlock = 48 << 10;  // without asking
constexpr uint64_t kReservedSharedPerBlock = 1 << 10;
constexpr uint64_t kConstantMemory = 64 << 10;

}  // namespace cuset_emulator
