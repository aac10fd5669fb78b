#include "runtime/memory/owned_ranges.h"

#include <algorithm>

namespace cuset_emulator {

bool OwnedRanges::add(const std::vector<Allocation>& ranges) {
  std::lock_guard lock(mutex_);
  const List* old = list_.load();
  List list = old ? *old : List{};
  list.insert(list.end(), ranges.begin(), ranges.end());
  std::sort(list.begin(), list.end(),
            [](const Allocation& a, const Allocation& b) { return a.address < b.address; });
  auto overlap = std::adjacent_find(list.begin(), list.end(), [](const Allocation& a, const Allocation& b) {
    return b.address < a.address + a.bytes;
  });
  if (overlap != list.end()) return false;
  publish(std::move(list));
  return true;
}

bool OwnedRanges::remove(uint64_t address, MemoryKind kind) {
  std::lock_guard lock(mutex_);
  const List* old = list_.load();
  if (!old) return false;
  List list = *old;
  auto removed = std::erase_if(
      list, [&](const Allocation& range) { return range.address == address && range.kind == kind; });
  if (removed == 0) return false;
  publish(std::move(list));
  return true;
}

std::optional<Allocation> OwnedRanges::find(uint64_t address) const {
  const List* list = list_.load(std::memory_order_acquire);
  if (!list) return std::nullopt;
  auto after = std::upper_bound(list->begin(), list->end(), address,
                                [](uint64_t at, const Allocation& range) { return at < range.address; });
  if (after == list->begin()) return std::nullopt;
  const Allocation& range = *std::prev(after);
  if (address - range.address >= range.bytes) return std::nullopt;
  return range;
}

void OwnedRanges::publish(List list) {
  published_.push_back(std::make_unique<const List>(std::move(list)));
  list_.store(published_.back().get(), std::memory_order_release);
}

}  // namespace cuset_emulator
