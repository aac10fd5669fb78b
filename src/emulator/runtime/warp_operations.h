// The collective operations of a warp: what each lane gets when all lanes named in the mask have arrived.
#pragma once

#include <cstdint>

#include "cuset_emulator/abi.h"

namespace cuset_emulator {

using Request = CusetRequest;

// Fills `results` of the lanes in `lanes` from their requests, which all have the same operation. Arrays
// of 32.
void complete_warp_operation(uint32_t operation, uint32_t lanes, const Request* requests, uint64_t* results);

}  // namespace cuset_emulator
