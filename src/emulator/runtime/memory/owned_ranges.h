// Memory outside the arenas that device code may use: its variables and host memory the program registered.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/memory/memory_map.h"

namespace cuset_emulator {

// Ranges by address. Readers take no lock: each change publishes a new sorted list, and old lists stay, since
// a program has few such ranges.
class OwnedRanges {
 public:
  bool add(const std::vector<Allocation>& ranges);  // nothing, and false, if one overlaps what is there
  bool remove(uint64_t address, MemoryKind kind);   // true if a range of this kind begins there
  std::optional<Allocation> find(uint64_t address) const;

 private:
  using List = std::vector<Allocation>;
  void publish(List list);

  std::mutex mutex_;
  std::atomic<const List*> list_{nullptr};
  std::vector<std::unique_ptr<const List>> published_;
};

}  // namespace cuset_emulator
