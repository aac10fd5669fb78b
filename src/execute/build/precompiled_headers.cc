#include "execute/build/precompiled_headers.h"

#include <algorithm>

#include "base/interrupt.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr int kDueWhenWanted = 2;  // times

}  // namespace

PrecompiledHeaders::PrecompiledHeaders(BuildCache& cache, std::string kind, Make make)
    : cache_(cache), kind_(std::move(kind)), make_(std::move(make)) {}

std::string PrecompiledHeaders::digest_of(const HeaderSet& headers) const {
  CacheKey key;
  key.add("precompiled", kind_);
  for (const std::string& header : headers) key.add("header", header);
  return key.digest();
}

fs::path PrecompiledHeaders::folder_for(const HeaderSet& wanted) {
  if (is_due(wanted)) {
    const fs::path made = make(wanted);
    const std::lock_guard lock(mutex_);
    entries_[wanted].folder = made;
    entries_[wanted].being_made = made.empty();  // what cannot be made is not tried again
  }
  return largest_within(wanted);
}

// Counts, and looks into the cache the first time.
bool PrecompiledHeaders::is_due(const HeaderSet& wanted) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[wanted];
  if (++entry.wanted == 1) entry.folder = cache_.find(digest_of(wanted)).value_or(fs::path());
  if (!entry.folder.empty() || entry.being_made || entry.wanted < kDueWhenWanted) return false;
  entry.being_made = true;
  return true;
}

fs::path PrecompiledHeaders::make(const HeaderSet& headers) {
  const base::StopScope shared(nullptr);  // all sources use them, and a failure is remembered
  StagingFolder staged = cache_.stage();
  if (!make_(headers, staged.path())) return {};
  return cache_.publish(digest_of(headers), std::move(staged));
}

fs::path PrecompiledHeaders::largest_within(const HeaderSet& wanted) {
  const std::lock_guard lock(mutex_);
  size_t most = 0;
  Entry* largest = nullptr;
  for (auto& [headers, entry] : entries_) {
    const bool fits = std::includes(wanted.begin(), wanted.end(), headers.begin(), headers.end());
    if (entry.folder.empty() || !fits || (largest != nullptr && headers.size() <= most)) continue;
    if (!cache_.mark_used(entry.folder)) {
      entry.folder.clear();  // removed meanwhile, by whoever
      continue;
    }
    largest = &entry;
    most = headers.size();
  }
  return largest == nullptr ? fs::path() : largest->folder;
}

void PrecompiledHeaders::discard(const fs::path& folder) {
  const std::lock_guard lock(mutex_);
  for (auto& [headers, entry] : entries_) {
    if (entry.folder != folder) continue;
    entry.folder.clear();
    entry.wanted = 1;
    cache_.remove(digest_of(headers));
  }
}

}  // namespace cuset::execute
