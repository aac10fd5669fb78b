#include "runtime/launch/check_texts.h"

#include <cstdio>

namespace cuset_emulator {
namespace {

constexpr uint64_t kGranule = 512;        // device allocations begin at multiples of it
constexpr uint64_t kNeighborhood = 4096;  // granules searched for the allocation that an address missed

const char* noun(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
      return "device memory";
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kPinned:
      return "pinned memory";
    case MemoryKind::kVariable:
      return "a device variable";
    case MemoryKind::kRegistered:
      return "registered memory";
    case MemoryKind::kDeviceHeap:
      return "the device's heap";
  }
  return "";
}

}  // namespace

const char* verb(Access kind) {
  switch (kind) {
    case Access::kRead:
    case Access::kCopySource:
    case Access::kWatch:
      return "read";
    case Access::kWrite:
    case Access::kWriteUniform:
    case Access::kCopyTarget:
      return "write";
    case Access::kAtomic:
    case Access::kExchange:
    case Access::kFetch:
    case Access::kAtomicStore:
      return "atomic update";
  }
  return "";
}

std::string count_of(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string address_text(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string access_text(Access kind, uint64_t bytes) {
  return std::string(verb(kind)) + " of " + count_of(bytes);
}

std::string allocation_text(const Allocation& allocation) {
  return count_of(allocation.bytes) + " of " + noun(allocation.kind) +
         (allocation.kind == MemoryKind::kVariable
              ? ""
              : " (allocation " + std::to_string(allocation.number) + ")");
}

std::string near_text(uint64_t address) {
  const uint64_t granule = address / kGranule * kGranule;
  for (uint64_t step = 0; step < kNeighborhood; ++step) {
    const auto before = find_allocation(granule - step * kGranule);
    if (before && before->address + before->bytes <= address) {
      return count_of(address - (before->address + before->bytes)) + " past the end of " +
             allocation_text(*before);
    }
    const auto after = find_allocation(granule + (step + 1) * kGranule);
    if (after && after->address > address) {
      return count_of(after->address - address) + " before the start of " + allocation_text(*after);
    }
  }
  return "at " + address_text(address) + ", which is no memory of this program's device";
}

std::string outside_text(uint64_t address, uint64_t bytes, const std::optional<Allocation>& allocation) {
  constexpr uint64_t kFirstPage = 4096;
  if (address < kFirstPage) return " through a null pointer (address " + address_text(address) + ")";
  if (!allocation) return ", " + near_text(address);
  return ", of which " + count_of(address + bytes - allocation->address - allocation->bytes) +
         " are past the end of " + allocation_text(*allocation);
}

std::string thread_text(const LaunchPlan& plan, uint32_t thread) {
  const LaunchPlan::Index& index = plan.index_of(thread);
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

std::string line_text(const CusetSite* site) {
  return site == nullptr ? "" : " at line " + std::to_string(site->line);
}

const char* past_verb(GlobalRaces::Touch touch) {
  if (touch == GlobalRaces::Touch::kUpdate) return "updated";
  return touch == GlobalRaces::Touch::kRead ? "read" : "wrote";
}

const char* verb(GlobalRaces::Touch touch) {
  if (touch == GlobalRaces::Touch::kUpdate) return "atomic update";
  return touch == GlobalRaces::Touch::kRead ? "read" : "write";
}

std::string block_text(const LaunchPlan& plan, uint64_t block) {
  uint32_t index[3];
  plan.block_index(block, index);
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]) +
         ")";
}

}  // namespace cuset_emulator
