// Objects kept across runs and processes, named by the hash of everything that they were made from.
//
//   <folder>/ab/ab12...ef/   an entry: files, and `checksums` with one line "crc32c size name" for each
//   <folder>/new-XXXXXX/     a folder in which an entry is being made, locked (flock) by its maker
//   <folder>/lock            held while entries are published or removed
//
// An entry appears whole by one rename and never changes afterwards. Who makes the same entry at the same
// time finds the other's in place and takes it. The time of an entry's `checksums` file is that of its last
// use; what was used longest ago goes first where the cache grows over its limit. Entries used within the
// last hour stay, for somebody may be about to run them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file.h"
#include "base/files/sha256.h"

namespace cuset::execute {

// Everything that decides what a compiler makes. Parts are told apart by name and length.
class CacheKey {
 public:
  CacheKey& add(std::string_view name, std::string_view value);

  // The names and contents of all regular files under `folder`. False, and no key worth having, where there
  // are more than a compiler would ever look at (20,000 files or 512 MiB) or one cannot be read.
  bool add_folder(std::string_view name, const std::filesystem::path& folder);

  std::string digest() const { return hash_.digest(); }

 private:
  base::Sha256 hash_;
};

// The name of an entry that nobody will look for again, for what has no key worth having.
std::string unrepeatable_digest();

// A private folder on the cache's disk; goes away with the object unless it was published.
class StagingFolder {
 public:
  explicit StagingFolder(const std::filesystem::path& cache);
  StagingFolder(StagingFolder&& other) noexcept;
  StagingFolder& operator=(StagingFolder&&) = delete;
  ~StagingFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  friend class BuildCache;
  std::filesystem::path path_;
  base::FileDescriptor lock_;
};

struct BuildCacheSettings {
  std::filesystem::path folder;  // made where absent
  uint64_t size_limit = 2ull << 30;
  std::chrono::seconds kept_after_use{3600};
};

// Safe to use from many threads and processes at once.
class BuildCache {
 public:
  // Throws Error where the folder cannot be made or written.
  explicit BuildCache(BuildCacheSettings settings);

  // The folder of a whole entry, now marked as used; nothing where there is none. An entry whose files do not
  // match their checksums is removed and reported as absent.
  std::optional<std::filesystem::path> find(const std::string& digest);

  StagingFolder stage() const { return StagingFolder(settings_.folder); }

  // Makes the staged files the entry `digest`, or drops them where another maker was faster; the entry's
  // folder either way. Only regular files directly in the folder are kept. May remove entries that were not
  // used for long.
  std::filesystem::path publish(const std::string& digest, StagingFolder staged);

  // Removes the entry, if it is there.
  void remove(const std::string& digest);

  // Keeps an entry found or published earlier from being removed for another while. False where it is gone.
  bool mark_used(const std::filesystem::path& entry) const;

  // Removes entries, those used longest ago first, until the rest fits the limit. Returns the bytes that are
  // left.
  uint64_t prune();

  const std::filesystem::path& folder() const { return settings_.folder; }

 private:
  std::filesystem::path entry(const std::string& digest) const;
  void remove_if_damaged(const std::filesystem::path& entry);
  base::FileDescriptor lock() const;

  BuildCacheSettings settings_;
  std::mutex counting_;
  uint64_t published_ = 0;  // bytes since the last pruning
  bool pruned_ = false;
};

// $XDG_CACHE_HOME/cuset/objects, or ~/.cache/cuset/objects. Throws Error where neither variable is set.
std::filesystem::path default_cache_folder();

}  // namespace cuset::execute
