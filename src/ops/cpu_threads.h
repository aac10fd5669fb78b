// How many threads LibTorch computes with on the CPU. Free of LibTorch headers.
#pragma once

#include <cstdint>

namespace cuset {

// As many as the process has processors to itself, or OMP_NUM_THREADS where it is set; never more than
// LibTorch uses now. LibTorch by itself counts the machine's processors, of which a container may have few.
int default_cpu_threads();

// 0: the default.
void use_cpu_threads(int64_t wanted);

}  // namespace cuset
