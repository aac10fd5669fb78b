// The collective operations of a warp: what each lane gets when all lanes named in the mask have arrived.
#pragma once

#include <cstdint>

#include "cuset_emulator/abi.h"

namespace cuset_emulator {

using Request = CusetRequest;

// One that waits for the other threads of the block.
inline bool is_barrier(uint32_t operation) {
  return (operation >= CUSET_BARRIER && operation <= CUSET_BARRIER_OR) || operation == CUSET_NUMBERED_BARRIER;
}

// Calls visit(lane) for each bit of a mask, lowest first.
template <typename Visit>
void for_each_lane(uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<uint32_t>(__builtin_ctz(lanes)));
}

// Fills `results` of the lanes in `lanes` from their requests, which all have the same operation. Arrays
// of 32.
void complete_warp_operation(uint32_t operation, uint32_t lanes, const Request* requests, uint64_t* results);

}  // namespace cuset_emulator
