#include "ops/cpu_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>

#include "base/machine_share.h"

namespace cuset {

void use_cpu_threads(int64_t wanted) {
  if (wanted > 0) {
    at::set_num_threads(static_cast<int>(wanted));
    return;
  }
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  at::set_num_threads(std::min(at::get_num_threads(), static_cast<int>(usable_processors())));
}

}  // namespace cuset
