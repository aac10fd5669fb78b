// How many threads LibTorch computes with on the CPU. Free of LibTorch headers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/machine/machine_share.h"

namespace cuset::ops {

// As many as the process has processors to itself, or OMP_NUM_THREADS where it is set; never more than
// LibTorch uses now. LibTorch by itself counts the machine's processors, of which a container may have few.
int default_cpu_threads();

// 0: the default.
void use_cpu_threads(int64_t wanted);

// Threads for the cores that other processes leave free, for work whose bits do not depend on their number:
// a thread that shares its core with a busy process keeps all the others waiting.
class FreeCpuThreads {
 public:
  struct Options {
    base::MachineFiles files = {};
    std::chrono::milliseconds interval = std::chrono::seconds(1);
  };

  // use_cpu_threads(wanted); where `wanted` is 0 and OMP_NUM_THREADS is not set, that is the most.
  explicit FreeCpuThreads(int64_t wanted) : FreeCpuThreads(wanted, Options()) {}
  FreeCpuThreads(int64_t wanted, Options options);
  ~FreeCpuThreads();  // the most again
  FreeCpuThreads(const FreeCpuThreads&) = delete;
  FreeCpuThreads& operator=(const FreeCpuThreads&) = delete;

  // Adapts the number to what the cores did since the last look. Called between pieces of work, as often as
  // needed: it looks once in an interval.
  void follow();

 private:
  Options options_;
  bool is_fixed_;
  int most_;
  bool has_told_ = false;
  std::chrono::steady_clock::time_point looked_at_;
  std::optional<base::ProcessorTimes> seen_;
};

}  // namespace cuset::ops
