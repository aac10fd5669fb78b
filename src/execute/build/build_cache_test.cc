#include "execute/build/build_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

std::string digest_of(std::string_view source) { return CacheKey().add("source", source).digest(); }

fs::path publish_text(BuildCache& cache, const std::string& digest, std::string_view text) {
  StagingFolder staged = cache.stage();
  base::write_file_atomic(staged.path() / "program", text);
  return cache.publish(digest, std::move(staged));
}

void set_age(const fs::path& entry, std::chrono::hours age) {
  fs::last_write_time(entry / "checksums", fs::file_time_type::clock::now() - age);
}

size_t staging_folders(const fs::path& cache) {
  size_t count = 0;
  for (const auto& item : fs::directory_iterator(cache)) {
    count += item.path().filename().string().starts_with("new-");
  }
  return count;
}

TEST(CacheKey, PartsDoNotRunIntoEachOther) {
  EXPECT_NE(CacheKey().add("a", "bc").digest(), CacheKey().add("ab", "c").digest());
  EXPECT_NE(CacheKey().add("a", "b").add("c", "d").digest(), CacheKey().add("c", "d").add("a", "b").digest());
  EXPECT_NE(CacheKey().add("a", "").digest(), CacheKey().digest());
  EXPECT_EQ(CacheKey().add("a", "b").digest(), CacheKey().add("a", "b").digest());
}

TEST(CacheKey, FoldersCountByNamesAndContents) {
  const base::TemporaryFolder folder;
  const auto digest = [&] {
    CacheKey key;
    EXPECT_TRUE(key.add_folder("include", folder.path()));
    return key.digest();
  };
  fs::create_directories(folder / "deep");
  base::write_file_atomic(folder / "deep/a.h", "one");
  const std::string before = digest();
  EXPECT_EQ(digest(), before);
  base::write_file_atomic(folder / "deep/a.h", "two");
  const std::string changed = digest();
  EXPECT_NE(changed, before);
  fs::rename(folder / "deep/a.h", folder / "deep/b.h");
  EXPECT_NE(digest(), changed);
  EXPECT_FALSE(CacheKey().add_folder("include", folder / "absent"));
}

TEST(BuildCache, WhatWasPublishedIsFound) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder / "objects"});
  const std::string digest = digest_of("kernel");
  EXPECT_FALSE(cache.find(digest).has_value());
  const fs::path entry = publish_text(cache, digest, "machine code");
  EXPECT_EQ(base::read_file(entry / "program"), "machine code");
  EXPECT_EQ(cache.find(digest), entry);
  BuildCache another({.folder = folder / "objects"});
  EXPECT_EQ(another.find(digest), entry);
  EXPECT_EQ(staging_folders(cache.folder()), 0u);
}

TEST(BuildCache, TheFirstOfTwoMakersWins) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path()});
  const std::string digest = digest_of("kernel");
  publish_text(cache, digest, "first");
  const fs::path entry = publish_text(cache, digest, "second");
  EXPECT_EQ(base::read_file(entry / "program"), "first");
  EXPECT_EQ(staging_folders(folder.path()), 0u);
}

TEST(BuildCache, StagedFilesThatAreNotPublishedGoAway) {
  const base::TemporaryFolder folder;
  const BuildCache cache({.folder = folder.path()});
  {
    const StagingFolder staged = cache.stage();
    base::write_file_atomic(staged.path() / "program", "half");
    EXPECT_EQ(staging_folders(folder.path()), 1u);
  }
  EXPECT_EQ(staging_folders(folder.path()), 0u);
}

struct Damage {
  const char* name;
  void (*inflict)(const fs::path& entry);
};

TEST(BuildCache, DamagedEntriesAreMadeAgain) {
  const Damage kinds[] = {
      {"changed byte", [](const fs::path& e) { std::ofstream(e / "program") << "machine cod3"; }},
      {"cut short", [](const fs::path& e) { fs::resize_file(e / "program", 3); }},
      {"file gone", [](const fs::path& e) { fs::remove(e / "program"); }},
      {"file added", [](const fs::path& e) { std::ofstream(e / "extra") << "x"; }},
      {"checksums gone", [](const fs::path& e) { fs::remove(e / "checksums"); }},
      {"checksums cut", [](const fs::path& e) { fs::resize_file(e / "checksums", 10); }},
      {"checksums empty", [](const fs::path& e) { fs::resize_file(e / "checksums", 0); }},
  };
  for (const Damage& damage : kinds) {
    SCOPED_TRACE(damage.name);
    const base::TemporaryFolder folder;
    BuildCache cache({.folder = folder.path()});
    const std::string digest = digest_of("kernel");
    const fs::path entry = publish_text(cache, digest, "machine code");
    damage.inflict(entry);
    EXPECT_FALSE(cache.find(digest).has_value());
    EXPECT_FALSE(fs::exists(entry));
    EXPECT_EQ(publish_text(cache, digest, "machine code"), entry);
    damage.inflict(entry);  // and where nobody looked before publishing
    publish_text(cache, digest, "machine code");
    EXPECT_EQ(cache.find(digest), entry);
  }
}

TEST(BuildCache, PruningTakesWhatWasUsedLongestAgo) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path(), .size_limit = 2500});
  const std::string kilobyte(1000, 'x');
  std::vector<fs::path> entries;
  for (int i = 0; i < 4; ++i) entries.push_back(publish_text(cache, digest_of(std::to_string(i)), kilobyte));
  EXPECT_TRUE(fs::exists(entries[3]));  // over the limit, but all were used just now
  for (int i = 0; i < 4; ++i) set_age(entries[i], std::chrono::hours(10 - i));
  ASSERT_TRUE(cache.find(digest_of("0")).has_value());  // makes the oldest the newest
  EXPECT_LE(cache.prune(), 2500u);
  EXPECT_TRUE(fs::exists(entries[0]));
  EXPECT_FALSE(fs::exists(entries[1]));
  EXPECT_FALSE(fs::exists(entries[2]));
  EXPECT_TRUE(fs::exists(entries[3]));
}

TEST(BuildCache, FoldersOfDeadMakersAreRemovedAndThoseOfLivingKept) {
  const base::TemporaryFolder folder;
  BuildCache cache({.folder = folder.path()});
  const StagingFolder living = cache.stage();
  fs::create_directories(folder / "new-dead");
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(5);
  fs::last_write_time(folder / "new-dead", long_ago);
  fs::last_write_time(living.path(), long_ago);
  cache.prune();
  EXPECT_FALSE(fs::exists(folder / "new-dead"));
  EXPECT_TRUE(fs::exists(living.path()));
}

// Makes, finds, damages and prunes a handful of keys; whatever is found must be right. Returns the wrong
// ones.
int disturb(const fs::path& folder, unsigned seed) {
  BuildCache cache({.folder = folder, .size_limit = 600, .kept_after_use = std::chrono::seconds(0)});
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    seed = seed * 1664525 + 1013904223;
    const std::string name = std::to_string(seed >> 8 & 7);
    const std::string content(100, name[0]);
    const auto found = cache.find(digest_of(name));
    const fs::path entry = found ? *found : publish_text(cache, digest_of(name), content);
    std::string read;
    try {
      read = base::read_file(entry / "program");
    } catch (const base::Error&) {
      continue;  // pruned meanwhile: here nothing is kept after use
    }
    wrong += read != content;
  }
  return wrong;
}

TEST(BuildCache, ManyThreadsAndProcessesShareOneFolder) {
  const base::TemporaryFolder folder;
  std::vector<pid_t> children;
  for (unsigned i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(disturb(folder.path(), 100 + i) == 0 ? 0 : 1);
    children.push_back(child);
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) threads.emplace_back([&, i] { wrong += disturb(folder.path(), i); });
  for (std::thread& thread : threads) thread.join();
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(staging_folders(folder.path()), 0u);
}

TEST(BuildCache, AFolderThatCannotBeMadeIsSaid) {
  EXPECT_NE(support::error_of([] { BuildCache cache({.folder = "/proc/nowhere"}); }).find("XDG_CACHE_HOME"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::execute
