// Barriers of the block and memory fences.
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/qualifiers.h"

#if defined(__CUDA__)

namespace cuset_emulator {

CUSET_DEVICE_FUNCTION void block_barrier() { cuset_request(CUSET_BARRIER, 0, 0, 0); }

}  // namespace cuset_emulator

#define __syncthreads() cuset_emulator::block_barrier()  // clang knows a builtin of that name

CUSET_DEVICE_FUNCTION int __syncthreads_count(int predicate) {
  return static_cast<int>(cuset_request(CUSET_BARRIER_COUNT, 0, predicate != 0, 0));
}
CUSET_DEVICE_FUNCTION int __syncthreads_and(int predicate) {
  return cuset_request(CUSET_BARRIER_AND, 0, predicate != 0, 0) != 0;
}
CUSET_DEVICE_FUNCTION int __syncthreads_or(int predicate) {
  return cuset_request(CUSET_BARRIER_OR, 0, predicate != 0, 0) != 0;
}

// The threads of a block run on one worker: a fence for them alone is one for the compiler, by which the pass knows it.
CUSET_DEVICE_FUNCTION void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
CUSET_DEVICE_FUNCTION void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
CUSET_DEVICE_FUNCTION void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

CUSET_DEVICE_FUNCTION void __nanosleep(unsigned int) { cuset_request(CUSET_YIELD, 0, 0, 0); }

#endif
