// One reserved range of addresses and the allocations in it.
//
// The range is reserved without memory behind it; pages come when touched. Allocations ascend through it, so
// a freed range stays unused, and recognizable, as long as there is room: small ones (under 2 MiB) lie
// 512-byte aligned with a gap after each, large ones take whole huge pages, which go back to the system when
// freed.
//
// A table of the range's 2 MiB chunks answers "whose address is this?" without locks: a chunk that lies in
// one allocation names it, a shared one has a table of its 512-byte granules.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "runtime/memory/memory_map.h"

namespace cuset_emulator {

class Arena {
 public:
  static constexpr uint64_t kGranule = 512;
  static constexpr uint64_t kChunk = 2 << 20;

  // Reserves up to `bytes` (less where the system refuses) with this protection, at `wanted_base` if that is
  // free; an arena without room on failure.
  Arena(uint64_t bytes, int protection, uint64_t wanted_base = 0);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  uint64_t base() const { return base_; }
  uint64_t bytes() const { return bytes_; }
  bool contains(uint64_t address) const { return address - base_ < bytes_; }
  uint64_t used_end() const { return base_ + top_.load(std::memory_order_acquire); }  // nothing lies beyond

  struct Request {
    uint64_t bytes = 0;
    MemoryKind kind = MemoryKind::kDevice;
    uint64_t number = 0;
    uint64_t address = 0;  // where it must lie; 0: anywhere
  };
  // The address; 0 if the range is full or the wanted address taken.
  uint64_t allocate(const Request& request);
  // The allocation that begins exactly there and lives is freed; none otherwise.
  std::optional<Allocation> free(uint64_t address);
  std::optional<Allocation> find(uint64_t address) const;

  // What an allocation of this size takes from the device's memory.
  static uint64_t footprint(uint64_t bytes);

 private:
  struct Record {
    uint64_t address, bytes, block_bytes, number;
    MemoryKind kind;
    std::atomic<bool> freed;
  };
  using Granules = std::atomic<uint32_t>[kChunk / kGranule];

  uint64_t place(uint64_t block_bytes, uint64_t alignment);
  uint64_t place_at(uint64_t offset, uint64_t block_bytes);
  uint64_t take_free_block(uint64_t block_bytes, uint64_t alignment);
  void put_free_block(uint64_t offset, uint64_t block_bytes);
  void publish(uint64_t offset, uint64_t bytes, uint32_t record);
  Granules& granules_of(uint64_t chunk);
  uint32_t owner(uint64_t offset) const;  // a record's number, 0 for nobody

  void* reserved_ = nullptr;
  uint64_t chunk_table_bytes_ = 0;
  uint64_t base_ = 0;
  uint64_t bytes_ = 0;
  std::mutex mutex_;
  std::atomic<uint64_t> top_{0};
  // 0: nobody's; odd: record number * 2 + 1; even: a Granules table
  std::atomic<uint64_t>* chunks_ = nullptr;
  Record* records_ = nullptr;
  uint32_t record_count_ = 0;  // record 0 means nobody
  // Offsets by block size, in the order they were freed
  std::map<uint64_t, std::deque<uint64_t>> small_free_;
  uint64_t small_free_bytes_ = 0;
  std::map<uint64_t, uint64_t> free_blocks_;  // offset -> size of the rest, neighbors merged
};

// Address space without memory behind it, zero when touched, at `wanted` if that is free; null if the system
// has none left.
void* reserve_addresses(uint64_t bytes, int protection, uint64_t wanted = 0);

}  // namespace cuset_emulator
