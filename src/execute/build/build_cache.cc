#include "execute/build/build_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "base/files/crc32c.h"
#include "base/files/remove_folder.h"
#include "base/files/scratch_file.h"
#include "base/log.h"
#include "base/machine/home_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kChecksums = "checksums";
constexpr std::string_view kStaging = "new-";
constexpr std::chrono::hours kAbandonedAfter{1};
constexpr size_t kMostIncludeFiles = 20'000;
constexpr uint64_t kMostIncludeBytes = 512ull << 20;

struct CachedFile {
  std::string name;
  uint64_t size = 0;
  uint32_t checksum = 0;
};

CachedFile describe_file(const fs::path& path) {
  const base::MappedFile content(path);
  return {path.filename().string(), content.bytes().size(), base::crc32c(content.bytes())};
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& item : fs::directory_iterator(folder)) {
    if (item.symlink_status().type() == fs::file_type::regular) files.push_back(item.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string checksums_text(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& path : files) {
    const CachedFile file = describe_file(path);
    text += fmt::format("{:08x} {} {}\n", file.checksum, file.size, file.name);
  }
  return text + "end\n";
}

// Whether every file is there as its maker left it. A folder that vanishes meanwhile is not whole.
bool is_whole(const fs::path& entry) {
  try {
    std::vector<fs::path> files = files_of(entry);
    std::erase_if(files, [](const fs::path& path) { return path.filename() == kChecksums; });
    return base::read_file(entry / kChecksums) == checksums_text(files);
  } catch (const base::Error&) {
    return false;
  } catch (const fs::filesystem_error&) {
    return false;
  }
}

uint64_t size_of(const fs::path& folder) {
  uint64_t size = 0;
  std::error_code ignored;
  for (const fs::directory_entry& item : fs::directory_iterator(folder, ignored)) {
    const uint64_t file = item.file_size(ignored);
    if (!ignored) size += file;
  }
  return size;
}

fs::path new_folder(const fs::path& cache) {
  std::string name = (cache / kStaging).string() + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw base::file_error("make a folder in", cache, errno);
  return name;
}

// Moved aside first: nobody sees half of an entry.
void remove_entry(const fs::path& cache, const fs::path& entry) {
  const fs::path aside = new_folder(cache);
  if (::rename(entry.c_str(), (aside / "removed").c_str()) != 0 && errno != ENOENT) {
    base::log_warning("cannot remove {} from the cache of objects: {}", entry.string(),
                      base::errno_text(errno));
  }
  base::remove_folder(aside);
}

struct UsedEntry {
  fs::path folder;
  fs::file_time_type used;
  uint64_t size = 0;
};

bool is_abandoned(const fs::path& staging) {
  std::error_code failed;
  const fs::file_time_type made = fs::last_write_time(staging, failed);
  if (failed || made > fs::file_time_type::clock::now() - kAbandonedAfter) return false;
  const base::FileDescriptor folder(::open(staging.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  return folder.is_open() && ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
}

// All entries; folders of makers that died are removed on the way.
std::vector<UsedEntry> entries_of(const fs::path& cache) {
  std::vector<UsedEntry> entries;
  std::error_code ignored;
  for (const fs::directory_entry& group : fs::directory_iterator(cache, ignored)) {
    if (!group.is_directory(ignored)) continue;
    if (group.path().filename().string().starts_with(kStaging)) {
      if (is_abandoned(group.path())) base::remove_folder(group.path());
      continue;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(group.path(), ignored)) {
      const fs::file_time_type used = fs::last_write_time(entry.path() / kChecksums, ignored);
      entries.push_back({entry.path(), ignored ? fs::file_time_type::min() : used, size_of(entry.path())});
    }
  }
  return entries;
}

}  // namespace

CacheKey& CacheKey::add(std::string_view name, std::string_view value) {
  hash_.update(fmt::format("{}:{}={}:", name.size(), name, value.size()));
  hash_.update(value);
  return *this;
}

bool CacheKey::add_folder(std::string_view name, const fs::path& folder) {
  std::vector<fs::path> files;
  uint64_t bytes = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator item(folder, failed), end; !failed && item != end;
       item.increment(failed)) {
    if (item->symlink_status(failed).type() == fs::file_type::directory) continue;
    files.push_back(item->path());
    bytes += item->is_regular_file(failed) ? item->file_size(failed) : 0;
    if (files.size() > kMostIncludeFiles || bytes > kMostIncludeBytes) return false;
  }
  if (failed) return false;
  std::sort(files.begin(), files.end());
  add(name, std::to_string(files.size()));
  for (const fs::path& path : files) {
    const bool readable = fs::is_regular_file(path, failed) && ::access(path.c_str(), R_OK) == 0;
    add(path.lexically_relative(folder).string(), readable ? base::read_file(path) : "");
  }
  return true;
}

std::string unrepeatable_digest() {
  std::random_device random;
  return CacheKey().add("once", fmt::format("{} {} {}", random(), random(), ::getpid())).digest();
}

StagingFolder::StagingFolder(const fs::path& cache) : path_(new_folder(cache)) {
  lock_ = base::open_file(path_, O_RDONLY | O_DIRECTORY);
  ::flock(lock_.get(), LOCK_SH);
}

StagingFolder::StagingFolder(StagingFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

StagingFolder::~StagingFolder() {
  if (!path_.empty()) base::remove_folder(path_);
}

BuildCache::BuildCache(BuildCacheSettings settings) : settings_(std::move(settings)) {
  std::error_code failed;
  fs::create_directories(settings_.folder, failed);
  if (failed) {
    throw base::Error("cannot make the cache of objects {}: {}", settings_.folder.string(), failed.message())
        .with_remedy("set XDG_CACHE_HOME to a folder you can write to");
  }
  lock();
}

fs::path BuildCache::entry(const std::string& digest) const {
  CUSET_CHECK(digest.size() == 64, "digest = {}", digest);
  return settings_.folder / digest.substr(0, 2) / digest;
}

base::FileDescriptor BuildCache::lock() const {
  const fs::path path = settings_.folder / "lock";
  base::FileDescriptor file = base::open_file(path, O_RDWR | O_CREAT);
  while (::flock(file.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw base::file_error("lock", path, errno);
  }
  return file;
}

std::optional<fs::path> BuildCache::find(const std::string& digest) {
  fs::path folder = entry(digest);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return std::nullopt;
  mark_used(folder);
  if (is_whole(folder)) return folder;
  remove_if_damaged(folder);
  return std::nullopt;
}

bool BuildCache::mark_used(const fs::path& entry) const {
  return ::utimensat(AT_FDCWD, (entry / kChecksums).c_str(), nullptr, 0) == 0;
}

// Looks again under the lock: meanwhile another process may have put a whole entry there.
void BuildCache::remove_if_damaged(const fs::path& folder) {
  const base::FileDescriptor held = lock();
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || is_whole(folder)) return;
  base::log_warning("{}: damaged, built again", folder.string());
  remove_entry(settings_.folder, folder);
}

void BuildCache::remove(const std::string& digest) {
  const base::FileDescriptor held = lock();
  std::error_code ignored;
  if (fs::exists(entry(digest), ignored)) remove_entry(settings_.folder, entry(digest));
}

fs::path BuildCache::publish(const std::string& digest, StagingFolder staged) {
  const fs::path target = entry(digest);
  const std::vector<fs::path> files = files_of(staged.path());
  // Not durable, nor need it be: an entry that a power cut damages is found out by its checksums.
  base::write_scratch_file(staged.path() / kChecksums, checksums_text(files));
  ::chmod(staged.path().c_str(), 0755);
  const uint64_t size = size_of(staged.path());
  {
    const base::FileDescriptor held = lock();
    std::error_code failed;
    if (fs::exists(target, failed) && !is_whole(target)) remove_entry(settings_.folder, target);
    fs::create_directories(target.parent_path(), failed);
    if (::rename(staged.path().c_str(), target.c_str()) == 0) {
      staged.path_.clear();
    } else if (errno != ENOTEMPTY && errno != EEXIST) {
      throw base::file_error("publish in the cache of objects", target, errno);
    }
  }
  bool prune_now = false;
  {
    const std::lock_guard guard(counting_);
    published_ += size;
    prune_now = !std::exchange(pruned_, true) || published_ > settings_.size_limit / 16;
    if (prune_now) published_ = 0;
  }
  if (prune_now) prune();
  return target;
}

uint64_t BuildCache::prune() {
  const base::FileDescriptor held = lock();
  std::vector<UsedEntry> entries = entries_of(settings_.folder);
  std::sort(entries.begin(), entries.end(),
            [](const UsedEntry& a, const UsedEntry& b) { return a.used < b.used; });
  uint64_t left = 0;
  for (const UsedEntry& entry : entries) left += entry.size;
  const fs::file_time_type protected_since = fs::file_time_type::clock::now() - settings_.kept_after_use;
  for (const UsedEntry& entry : entries) {
    if (left <= settings_.size_limit || entry.used > protected_since) break;
    remove_entry(settings_.folder, entry.folder);
    left -= entry.size;
  }
  return left;
}

fs::path default_cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "cuset/objects";
  }
  if (const fs::path home = base::home_folder(); !home.empty()) return home / ".cache/cuset/objects";
  throw base::Error(
      "no folder for the cache of objects: neither XDG_CACHE_HOME nor HOME is set, and the account has no home")
      .with_remedy("set XDG_CACHE_HOME to a folder you can write to");
}

}  // namespace cuset::execute
