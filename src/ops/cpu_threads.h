// How many threads LibTorch computes with on the CPU. Free of LibTorch headers.
#pragma once

#include <cstdint>

namespace cuset {

// `wanted` threads; 0: as many as the process has processors to itself, or OMP_NUM_THREADS where it is set.
// LibTorch by itself counts the machine's processors, of which a container may have few.
void use_cpu_threads(int64_t wanted);

}  // namespace cuset
