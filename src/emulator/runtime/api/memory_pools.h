// Pools of stream-ordered allocations. They take from device memory directly and hold nothing back; each knows what was
// taken through it.
#pragma once

#include <cstdint>

#include "cuset_emulator/memory_types.h"

namespace cuset_emulator {

// Null stands for the pool that the device uses.
bool is_pool(cudaMemPool_t pool);
bool has_room(cudaMemPool_t pool, uint64_t bytes);  // within the pool's own limit
void note_pool_allocation(cudaMemPool_t pool, uint64_t address, uint64_t bytes);
void note_pool_free(uint64_t address);  // nothing where no pool gave it

}  // namespace cuset_emulator
