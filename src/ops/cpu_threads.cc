#include "ops/cpu_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>

#include "base/machine_share.h"

namespace cuset {

int default_cpu_threads() {
  const int now = at::get_num_threads();
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return now;
  return std::min(now, static_cast<int>(usable_processors()));
}

void use_cpu_threads(int64_t wanted) {
  at::set_num_threads(wanted > 0 ? static_cast<int>(wanted) : default_cpu_threads());
}

}  // namespace cuset
