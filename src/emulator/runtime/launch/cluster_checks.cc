// The checks of --check for shared memory of other blocks of the cluster: bounds and initialization. Races between blocks
// there are not looked for.
#include <string>

#include "runtime/launch/check_texts.h"
#include "runtime/launch/checks.h"

namespace cuset_emulator {

BlockChecks* BlockChecks::neighbor_with(uint64_t address) const {
  for (BlockChecks* block : cluster_)
    if (block != this && address - block->memory_.start < block->memory_.shared_room) return block;
  return nullptr;
}

// False where the address is not in the cluster's shared memory.
bool BlockChecks::check_neighbor(uint64_t& address, uint32_t bytes, Access kind, const CusetSite* site) {
  BlockChecks* neighbor = neighbor_with(address);
  if (neighbor == nullptr) return false;
  const uint64_t offset = address - neighbor->memory_.start, all = neighbor->cells_.size();
  if (offset + bytes > all) {
    report(
        "out_of_bounds", site,
        access_text(kind, bytes) + " past the end of another block's " + count_of(all) + " of shared memory");
    address = harmless_address();
    return true;
  }
  const uint32_t unwritten = neighbor->touched_by_neighbor(address, bytes, kind);
  if (kind == Access::kCopySource ? unwritten == bytes : unwritten > 0)
    report("uninitialised_read", site,
           access_text(kind, bytes) + " of another block's shared memory that no thread wrote, at offset " +
               std::to_string(offset));
  return true;
}

// Returns how many of the bytes were read and never written.
uint32_t BlockChecks::touched_by_neighbor(uint64_t address, uint32_t bytes, Access kind) {
  uint32_t unwritten = 0;
  for (uint32_t byte = 0; byte < bytes; ++byte) {
    Cell& cell = cells_[address - memory_.start + byte];
    if (!writes_only(kind) && cell.write_epoch == 0) ++unwritten;
    if (reads_only(kind)) continue;
    cell.write_epoch = epoch_;
    cell.writer = kNeighbor;
  }
  return unwritten;
}

// Orders all threads of the block; blocks are ordered by GlobalRaces::meet().
void BlockChecks::cluster_barrier_released(const Request* requests) { barrier_released(requests, 0, true); }

}  // namespace cuset_emulator
