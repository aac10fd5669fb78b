// What the program knows of one GPU. The probe of execute/gpu/gpu_search.h fills everything that the
// driver says; ops/device/backend.h fills what LibTorch knows of the GPUs that it computes on. What nobody said is 0
// or empty.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace cuset::base {

struct GpuInfo {
  std::string name = "";  // "NVIDIA H200"
  std::string uuid = "";  // "GPU-5f2c...": names it to the programs that run on it
  int compute_major = 0;  // of its compute capability
  int compute_minor = 0;
  int multiprocessors = 0;
  uint64_t memory_bytes = 0;
  uint64_t memory_bandwidth = 0;  // bytes per second, by clock and bus width, or else by a copy
  uint64_t cache_bytes = 0;       // of its last cache
  // Of one multiprocessor, for theoretical occupancy.
  uint32_t threads_per_multiprocessor = 0;
  uint32_t blocks_per_multiprocessor = 0;
  uint32_t registers_per_multiprocessor = 0;
  uint64_t shared_bytes_per_multiprocessor = 0;
  uint64_t reserved_shared_bytes_per_block = 0;  // what the system takes of it for every block
  uint64_t clock_hertz = 0;                      // the highest of its multiprocessors
  int cuda_version = 0;                          // the newest that the driver serves: 13000
  std::string driver_version = "";               // "580.65.06"
  std::filesystem::path driver_library = {};     // the driver's libcuda.so.1

  // "9.0", as PyTorch writes it.
  std::string compute_capability() const { return fmt::format("{}.{}", compute_major, compute_minor); }
  // "sm_90", as nvcc writes it.
  std::string architecture() const { return fmt::format("sm_{}{}", compute_major, compute_minor); }
};

}  // namespace cuset::base
