#include "ops/device/cpu_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/log.h"

namespace cuset::ops {

namespace {

bool environment_names_threads() { return std::getenv("OMP_NUM_THREADS") != nullptr; }

}  // namespace

int default_cpu_threads() {
  const int now = at::get_num_threads();
  if (environment_names_threads()) return now;
  return std::min(now, static_cast<int>(base::usable_processors()));
}

void use_cpu_threads(int64_t wanted) {
  at::set_num_threads(wanted > 0 ? static_cast<int>(wanted) : default_cpu_threads());
}

FreeCpuThreads::FreeCpuThreads(int64_t wanted, Options options)
    : options_(std::move(options)), is_fixed_(wanted > 0 || environment_names_threads()) {
  use_cpu_threads(wanted);
  most_ = at::get_num_threads();
  looked_at_ = std::chrono::steady_clock::now();
  if (!is_fixed_) seen_ = base::processor_times(options_.files);
}

FreeCpuThreads::~FreeCpuThreads() {
  if (!is_fixed_) at::set_num_threads(most_);
}

void FreeCpuThreads::follow() {
  const auto now = std::chrono::steady_clock::now();
  if (is_fixed_ || now - looked_at_ < options_.interval) return;
  const std::optional<base::ProcessorTimes> times = base::processor_times(options_.files);
  const auto most = static_cast<uint32_t>(most_);
  const auto threads = static_cast<int>(base::free_processors(most, seen_, times));
  if (threads < most_ && !std::exchange(has_told_, true)) {
    base::log_info("threads: {} of {}, while other processes keep cores busy (--threads {} keeps all)",
                   threads, most_, most_);
  }
  if (threads != at::get_num_threads()) at::set_num_threads(threads);
  looked_at_ = now;
  seen_ = times;
}

}  // namespace cuset::ops
