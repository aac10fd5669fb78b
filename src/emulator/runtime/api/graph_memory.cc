#include "runtime/api/graph_memory.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

struct Given {
  std::weak_ptr<GraphMemory> memory;
  uint64_t bytes;
  bool in_use;
};

struct GraphMemories {
  std::mutex mutex;
  std::map<uint64_t, Given> given;
  GraphMemoryUse use;
};

GraphMemories& memories() {
  static GraphMemories& instance = *new GraphMemories;
  return instance;
}

}  // namespace

std::shared_ptr<GraphMemory> GraphMemory::allocate(uint64_t bytes) {
  const uint64_t address = allocate_memory(bytes, MemoryKind::kDevice);
  if (address == 0) return nullptr;
  std::shared_ptr<GraphMemory> made(new GraphMemory(address, bytes));
  const std::lock_guard lock(memories().mutex);
  memories().given[address] = {made, bytes, false};
  GraphMemoryUse& use = memories().use;
  use.reserved += bytes;
  use.most_reserved = std::max(use.most_reserved, use.reserved);
  return made;
}

GraphMemory::~GraphMemory() {
  const std::lock_guard lock(memories().mutex);
  const auto found = memories().given.find(address_);
  if (found->second.in_use) memories().use.used -= bytes_;
  memories().use.reserved -= bytes_;
  memories().given.erase(found);
  free_memory(address_, MemoryKind::kDevice);
}

void GraphMemory::begin_use() {
  const std::lock_guard lock(memories().mutex);
  Given& mine = memories().given[address_];
  if (mine.in_use) return;
  mine.in_use = true;
  GraphMemoryUse& use = memories().use;
  use.used += bytes_;
  use.most_used = std::max(use.most_used, use.used);
}

std::shared_ptr<GraphMemory> find_graph_memory(uint64_t address) {
  const std::lock_guard lock(memories().mutex);
  const auto found = memories().given.find(address);
  return found == memories().given.end() ? nullptr : found->second.memory.lock();
}

bool is_graph_memory(uint64_t address) {
  const std::lock_guard lock(memories().mutex);
  return memories().given.count(address) > 0;
}

bool end_graph_memory_use(uint64_t address) {
  const std::lock_guard lock(memories().mutex);
  const auto found = memories().given.find(address);
  if (found == memories().given.end() || !found->second.in_use) return false;
  found->second.in_use = false;
  memories().use.used -= found->second.bytes;
  return true;
}

GraphMemoryUse graph_memory_use() {
  const std::lock_guard lock(memories().mutex);
  return memories().use;
}

void reset_graph_memory_peaks() {
  const std::lock_guard lock(memories().mutex);
  memories().use.most_used = memories().use.used;
  memories().use.most_reserved = memories().use.reserved;
}

}  // namespace cuset_emulator
