#include "runtime/memory/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace cuset_emulator {
namespace {

constexpr uint64_t kSmallLimit = Arena::kChunk;
constexpr uint64_t kRecords = 1 << 24;
constexpr uint64_t kQuarantine =
    64 << 20;  // small blocks freed after this many bytes of others are used again
constexpr uint64_t kSmallestGap = 1024;
constexpr uint64_t kLargestGap = 64 << 10;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

bool is_small(uint64_t bytes) { return bytes < kSmallLimit; }

// An allocation and the gap after it.
uint64_t block_size(uint64_t bytes) {
  if (!is_small(bytes)) return round_up(bytes + kLargestGap, Arena::kChunk);
  uint64_t rounded = round_up(std::max<uint64_t>(bytes, 1), Arena::kGranule);
  return rounded + std::clamp(round_up(rounded / 4, Arena::kGranule), kSmallestGap, kLargestGap);
}

}  // namespace

void* reserve_addresses(uint64_t bytes, int protection, uint64_t wanted) {
  void* memory = mmap(reinterpret_cast<void*>(wanted), bytes, protection,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

Arena::Arena(uint64_t bytes, int protection, uint64_t wanted_base) {
  bytes = round_up(bytes, kChunk);
  char* memory = nullptr;
  while (bytes >= 16 * kChunk &&
         !(memory = static_cast<char*>(reserve_addresses(bytes + kChunk, protection, wanted_base)))) {
    bytes = round_up(bytes / 2, kChunk);
  }
  reserved_ = memory;
  chunk_table_bytes_ = (bytes / kChunk + 1) * sizeof(std::atomic<uint64_t>);
  chunks_ =
      static_cast<std::atomic<uint64_t>*>(reserve_addresses(chunk_table_bytes_, PROT_READ | PROT_WRITE));
  records_ = static_cast<Record*>(reserve_addresses(kRecords * sizeof(Record), PROT_READ | PROT_WRITE));
  if (!memory || !chunks_ || !records_) return;
  base_ = round_up(reinterpret_cast<uint64_t>(memory), kChunk);
  bytes_ = bytes;
  // Huge pages make first touches and changes of protection cheap.
  madvise(reinterpret_cast<void*>(base_), bytes_, MADV_HUGEPAGE);
  madvise(reinterpret_cast<void*>(base_), bytes_, MADV_DONTDUMP);
}

Arena::~Arena() {
  for (uint64_t chunk = 0; chunk < used_end() - base_; chunk += kChunk) {
    uint64_t entry = chunks_[chunk / kChunk].load(std::memory_order_relaxed);
    if (entry != 0 && entry % 2 == 0) munmap(reinterpret_cast<void*>(entry), sizeof(Granules));
  }
  if (reserved_) munmap(reserved_, bytes_ + kChunk);
  if (chunks_) munmap(chunks_, chunk_table_bytes_);
  if (records_) munmap(records_, kRecords * sizeof(Record));
}

uint64_t Arena::footprint(uint64_t bytes) {
  return is_small(bytes) ? round_up(std::max<uint64_t>(bytes, 1), kGranule) : round_up(bytes, kChunk);
}

uint64_t Arena::allocate(const Request& request) {
  if (request.bytes > bytes_) return 0;
  std::lock_guard lock(mutex_);
  uint64_t size = block_size(request.bytes);
  uint64_t offset = request.address != 0 ? place_at(request.address - base_, size)
                                         : place(size, is_small(request.bytes) ? kGranule : kChunk);
  if (offset == UINT64_MAX) return 0;

  // A block used again keeps its record, so that a program may allocate and free for ever.
  uint32_t number = owner(offset);
  if (number == 0 || records_[number].address != base_ + offset) {
    if (record_count_ + 1 >= kRecords) return 0;
    number = ++record_count_;
  }
  Record& record = records_[number];
  record.address = base_ + offset;
  record.bytes = request.bytes;
  record.block_bytes = size;
  record.number = request.number;
  record.kind = request.kind;
  record.freed.store(false, std::memory_order_release);
  publish(offset, std::max<uint64_t>(request.bytes, 1), number);
  return record.address;
}

// First unused addresses; then, if small ones have waited long enough or there are none left, freed ones.
uint64_t Arena::place(uint64_t block_bytes, uint64_t alignment) {
  if (small_free_bytes_ > kQuarantine) {
    if (auto same = small_free_.find(block_bytes); same != small_free_.end()) {
      uint64_t offset = same->second.front();
      same->second.pop_front();
      if (same->second.empty()) small_free_.erase(same);
      small_free_bytes_ -= block_bytes;
      return offset;
    }
  }
  uint64_t offset = round_up(top_, alignment);
  if (offset + block_bytes > bytes_) return take_free_block(block_bytes, alignment);
  top_.store(offset + block_bytes, std::memory_order_release);
  return offset;
}

// Beyond all that is used, or a freed block of the same size.
uint64_t Arena::place_at(uint64_t offset, uint64_t block_bytes) {
  if (offset % kGranule != 0 || offset > bytes_ || block_bytes > bytes_ - offset) return UINT64_MAX;
  if (offset >= top_) {
    top_.store(offset + block_bytes, std::memory_order_release);
    return offset;
  }
  const uint32_t number = owner(offset);
  if (number == 0) return UINT64_MAX;
  const Record& record = records_[number];
  const bool is_free = record.freed.load(std::memory_order_acquire) && record.address == base_ + offset;
  return is_free && record.block_bytes == block_bytes ? offset : UINT64_MAX;
}

uint64_t Arena::take_free_block(uint64_t block_bytes, uint64_t alignment) {
  for (auto& [size, offsets] : small_free_) {
    for (uint64_t offset : offsets) put_free_block(offset, size);
  }
  small_free_.clear();
  small_free_bytes_ = 0;
  for (auto [offset, size] : free_blocks_) {
    uint64_t start = round_up(offset, alignment);
    if (start + block_bytes > offset + size) continue;
    free_blocks_.erase(offset);
    if (start > offset) free_blocks_[offset] = start - offset;
    if (uint64_t rest = offset + size - start - block_bytes; rest > 0)
      free_blocks_[start + block_bytes] = rest;
    return start;
  }
  return UINT64_MAX;
}

void Arena::put_free_block(uint64_t offset, uint64_t block_bytes) {
  auto next = free_blocks_.lower_bound(offset);
  if (next != free_blocks_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == offset) {
      offset = before->first;
      block_bytes += before->second;
      free_blocks_.erase(before);
    }
  }
  if (next != free_blocks_.end() && offset + block_bytes == next->first) {
    block_bytes += next->second;
    free_blocks_.erase(next);
  }
  free_blocks_[offset] = block_bytes;
}

Arena::Granules& Arena::granules_of(uint64_t chunk) {
  uint64_t entry = chunks_[chunk].load(std::memory_order_relaxed);
  if (entry != 0 && entry % 2 == 0) return *reinterpret_cast<Granules*>(entry);
  void* memory = reserve_addresses(sizeof(Granules), PROT_READ | PROT_WRITE);
  if (!memory) throw std::bad_alloc();
  Granules& table = *static_cast<Granules*>(memory);
  for (auto& granule : table) granule.store(static_cast<uint32_t>(entry / 2), std::memory_order_relaxed);
  chunks_[chunk].store(reinterpret_cast<uint64_t>(&table), std::memory_order_release);
  return table;
}

void Arena::publish(uint64_t offset, uint64_t bytes, uint32_t record) {
  uint64_t end = round_up(offset + bytes, kGranule);
  while (offset < end) {
    uint64_t chunk = offset / kChunk;
    uint64_t chunk_end = (chunk + 1) * kChunk;
    uint64_t entry = chunks_[chunk].load(std::memory_order_relaxed);
    if (offset % kChunk == 0 && end >= chunk_end && (entry == 0 || entry % 2 == 1)) {
      chunks_[chunk].store(uint64_t{record} * 2 + 1, std::memory_order_release);
    } else {
      Granules& table = granules_of(chunk);
      for (uint64_t at = offset; at < std::min(end, chunk_end); at += kGranule) {
        table[at % kChunk / kGranule].store(record, std::memory_order_release);
      }
    }
    offset = chunk_end;
  }
}

std::optional<Allocation> Arena::free(uint64_t address) {
  std::lock_guard lock(mutex_);
  std::optional<Allocation> found = find(address);
  if (!found || found->freed || found->address != address) return std::nullopt;
  Record& record = records_[owner(address - base_)];
  record.freed.store(true, std::memory_order_release);
  if (is_small(record.bytes)) {
    small_free_[record.block_bytes].push_back(address - base_);
    small_free_bytes_ += record.block_bytes;
  } else {
    madvise(reinterpret_cast<void*>(address), record.block_bytes, MADV_DONTNEED);
    put_free_block(address - base_, record.block_bytes);
  }
  return found;
}

uint32_t Arena::owner(uint64_t offset) const {
  uint64_t entry = chunks_[offset / kChunk].load(std::memory_order_acquire);
  if (entry == 0) return 0;
  if (entry % 2 == 1) return static_cast<uint32_t>(entry / 2);
  return (*reinterpret_cast<Granules*>(entry))[offset % kChunk / kGranule].load(std::memory_order_acquire);
}

std::optional<Allocation> Arena::find(uint64_t address) const {
  if (!contains(address)) return std::nullopt;
  uint32_t number = owner(address - base_);
  if (number == 0) return std::nullopt;
  const Record& record = records_[number];
  if (address - record.address >= std::max<uint64_t>(record.bytes, 1)) return std::nullopt;
  return Allocation{record.address, record.bytes, record.kind, record.number, record.freed.load()};
}

}  // namespace cuset_emulator
