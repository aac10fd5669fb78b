// Which bytes of device memory were ever written: one bit per byte in a reservation of its own, an eighth of
// the device's addresses, zero until touched. memory_map.h declares the marks and questions that kernels use.
#pragma once

#include <cstdint>

namespace cuset_emulator {

// Begins to keep bits for this range of addresses. False if the system has no addresses left.
bool reserve_initialization(uint64_t base, uint64_t bytes);

// The bytes are new: nobody wrote them yet.
void forget_initialization(uint64_t address, uint64_t bytes);

}  // namespace cuset_emulator
