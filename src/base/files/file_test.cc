#include "base/files/file.h"
#include "support/error_text.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/files/temporary_folder.h"
#include "support/fault_injection.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

mode_t mode_of(const fs::path& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

using Names = std::vector<std::string>;

TEST(ReadFile, GivesEveryByte) {
  const TemporaryFolder folder;
  const std::string content("a\0b\r\n\xff", 6);
  write_file_atomic(folder / "a", content);
  EXPECT_EQ(read_file(folder / "a"), content);
  write_file_atomic(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "empty"), "");
}

TEST(ReadFile, ReadsFilesThatHideTheirSize) {
  EXPECT_EQ(read_file("/proc/self/comm").size(), read_file("/proc/self/comm").find('\n') + 1);
  EXPECT_GT(read_file("/proc/self/comm").size(), 1u);
}

TEST(ReadFile, ReadsAPipeToItsEnd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "through a pipe", 14), 14);
  ::close(ends[1]);
  EXPECT_EQ(read_file(fmt::format("/proc/self/fd/{}", ends[0])), "through a pipe");
  ::close(ends[0]);
}

TEST(ReadFile, ErrorsNamePathReasonAndRemedy) {
  const TemporaryFolder folder;
  const std::string name = folder.path().string();
  EXPECT_EQ(support::error_of([&] { read_file(folder / "none"); }),
            "cannot open " + name + "/none: No such file or directory (check the path)");
  EXPECT_EQ(support::error_of([&] { read_file(folder.path()); }),
            "cannot read " + name + ": Is a directory (give the name of a file, not of a folder)");
  EXPECT_EQ(support::error_of([&] { read_file("/dev/zero"); }),
            "cannot read /dev/zero: it is a device (give the name of a file)");
}

TEST(ReadFile, UnreadableFileIsAnError) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "secret", "x");
  fs::permissions(folder / "secret", fs::perms::none);
  fs::permissions(folder.path(), fs::perms::all);
  const auto said =
      support::run_as_ordinary_user([&] { return support::error_of([&] { read_file(folder / "secret"); }); });
  if (!said) GTEST_SKIP() << "cannot give up root's rights here";
  EXPECT_EQ(*said, "cannot open " + (folder / "secret").string() +
                       ": Permission denied (check the permissions, or choose another folder)");
}

TEST(MappedFile, ShowsContentAndKeepsItWhenReplaced) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "a", "old content");
  MappedFile first(folder / "a");
  write_file_atomic(folder / "a", "new");
  MappedFile second = std::move(first);
  EXPECT_EQ(second.text(), "old content");
  EXPECT_EQ(first.text(), "");
  EXPECT_EQ(MappedFile(folder / "a").text(), "new");
}

TEST(MappedFile, EmptyFileGivesEmptyView) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "a", "");
  EXPECT_TRUE(MappedFile(folder / "a").bytes().empty());
}

TEST(MappedFile, RefusesWhatCannotBeMapped) {
  const TemporaryFolder folder;
  EXPECT_NE(support::error_of([&] { MappedFile file(folder.path()); }).find("Is a directory"),
            std::string::npos);
  EXPECT_NE(support::error_of([&] { MappedFile file(folder / "none"); }).find("No such file"),
            std::string::npos);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[1]);
  const std::string pipe = fmt::format("/proc/self/fd/{}", ends[0]);
  EXPECT_EQ(support::error_of([&] { MappedFile file(pipe); }),
            "cannot map " + pipe + ": it is not a regular file (copy it into a file first)");
  ::close(ends[0]);
}

TEST(AtomicFile, TargetChangesOnlyAtCommit) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "a", "old");
  AtomicFile file(folder / "a");
  file.write("new ");
  file.write("content");
  EXPECT_EQ(read_file(folder / "a"), "old");
  file.commit();
  EXPECT_EQ(read_file(folder / "a"), "new content");
  EXPECT_EQ(names_in(folder.path()), Names{"a"});
  EXPECT_THROW(file.write("more"), CheckFailure);
  EXPECT_THROW(file.commit(), CheckFailure);
}

TEST(AtomicFile, WithoutCommitNothingIsLeft) {
  const TemporaryFolder folder;
  {
    AtomicFile(folder / "a").write("half");
  }
  EXPECT_EQ(names_in(folder.path()), Names{});
}

TEST(AtomicFile, NewFileFollowsUmaskAndOldOneKeepsItsMode) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(027);
  write_file_atomic(folder / "a", "x");
  ::umask(mask);
  EXPECT_EQ(mode_of(folder / "a"), 0640u);
  fs::permissions(folder / "a", fs::perms(0604));
  write_file_atomic(folder / "a", "y");
  EXPECT_EQ(mode_of(folder / "a"), 0604u);
}

TEST(AtomicFile, SymbolicLinksStayAndTheirEndIsReplaced) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "store");
  write_file_atomic(folder / "store/real", "old");
  fs::create_symlink("store/real", folder / "link");
  fs::create_symlink("link", folder / "link_to_link");
  write_file_atomic(folder / "link_to_link", "new");
  EXPECT_EQ(read_file(folder / "store/real"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link") && fs::is_symlink(folder / "link_to_link"));

  fs::create_symlink("store/later", folder / "dangling");
  write_file_atomic(folder / "dangling", "made");
  EXPECT_EQ(read_file(folder / "store/later"), "made");

  fs::create_symlink("circle", folder / "circle");
  EXPECT_NE(support::error_of([&] { AtomicFile file(folder / "circle"); }).find("symbolic links"),
            std::string::npos);
}

TEST(AtomicFile, ImpossibleTargetsAreRefusedBeforeTheWork) {
  const TemporaryFolder folder;
  EXPECT_EQ(support::error_of([&] { AtomicFile file(folder.path()); }),
            "cannot write " + folder.path().string() + ": it is a folder (give the name of a file)");
  EXPECT_EQ(support::error_of([&] { AtomicFile file("/dev/null"); }),
            "cannot write /dev/null: it is not a regular file (give the name of a file)");
  EXPECT_EQ(support::error_of([&] { AtomicFile file(folder / "none/a"); }),
            "cannot create a file beside " + (folder / "none/a").string() +
                ": No such file or directory (check the path)");
}

TEST(AtomicFile, RemovesAbandonedTemporariesOnly) {
  const TemporaryFolder folder;
  const std::string dead = "a.tmp-0123456789abcdef";
  const Names others = {"a.tmp-old", "a.tmp-0123456789abcdeX", "aa.tmp-0123456789abcdef"};
  write_file_atomic(folder / dead, "half");
  for (const std::string& name : others) write_file_atomic(folder / name, "mine");
  ASSERT_EQ(::mkfifo((folder / "a.tmp-00000000000000ff").c_str(), 0600), 0);
  AtomicFile living(folder / "a");
  living.write("first");
  write_file_atomic(folder / "a", "second");
  EXPECT_FALSE(fs::exists(folder / dead));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(folder / name)) << name;
  living.commit();
  EXPECT_EQ(read_file(folder / "a"), "first");
}

TEST(AtomicFile, ManyWritersOfOneTargetDoNotDisturbEachOther) {
  const TemporaryFolder folder;
  std::atomic<int> failures = 0;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 50; ++i) {
        failures += support::error_of([&] {
                      write_file_atomic(folder / "a", std::string(100, char('a' + writer)));
                    }) != "no error";
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failures, 0);
  const std::string content = read_file(folder / "a");
  EXPECT_EQ(content, std::string(100, content.at(0)));
  EXPECT_EQ(names_in(folder.path()), Names{"a"});
}

TEST(AtomicFile, FullDiskKeepsTheOldContentAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto said = support::run_on_small_disk(folder.path(), 256 << 10, [&] {
    write_file_atomic(folder / "a", "old");
    const std::string error =
        support::error_of([&] { write_file_atomic(folder / "a", std::string(1 << 20, 'x')); });
    if (error !=
        "cannot write " + (folder / "a").string() +
            ": No space left on device (free some space and run again; what was there before is untouched)") {
      return "wrong error: " + error;
    }
    if (read_file(folder / "a") != "old") return std::string("the old content is lost");
    if (names_in(folder.path()) != Names{"a"}) return std::string("a temporary is left");
    write_file_atomic(folder / "a", std::string(100 << 10, 'y'));
    return read_file(folder / "a") == std::string(100 << 10, 'y') ? std::string()
                                                                  : "space was not given back";
  });
  if (!said) GTEST_SKIP() << "the kernel does not let us mount a small disk";
  EXPECT_EQ(*said, "");
}

TEST(AtomicFile, CannotBeCommittedAfterAFailedWrite) {
  const TemporaryFolder folder;
  const auto said = support::run_on_small_disk(folder.path(), 64 << 10, [&] {
    AtomicFile file(folder / "a");
    support::error_of([&] { file.write(std::string(1 << 20, 'x')); });
    try {
      file.commit();
    } catch (const CheckFailure&) {
      return std::string();
    }
    return std::string("half a file was committed");
  });
  if (!said) GTEST_SKIP() << "the kernel does not let us mount a small disk";
  EXPECT_EQ(*said, "");
}

// Content that shows whether it is whole: a length in words and one letter all through.
std::string whole_content(uint32_t round) { return std::string(200'000 + round % 7, char('a' + round % 26)); }

bool is_whole(const std::string& content) {
  if (content.empty()) return false;
  const auto letter = static_cast<uint32_t>(content[0] - 'a');
  const auto extra = static_cast<uint32_t>(content.size()) - 200'000;
  return content.size() >= 200'000 && extra < 7 && content == std::string(content.size(), char('a' + letter));
}

TEST(AtomicFile, KilledAtAnyMomentLeavesOldOrNewContentWhole) {
  const TemporaryFolder folder;
  const fs::path path = folder / "state";
  write_file_atomic(path, whole_content(0));
  size_t abandoned = 0;
  for (uint32_t kill = 0; kill < 60; ++kill) {
    support::kill_at_random_moment(
        [&](const std::function<void()>& begun) {
          for (uint32_t round = kill;; ++round) {
            write_file_atomic(path, whole_content(round));
            if (round == kill) begun();
          }
        },
        kill, 3000);
    ASSERT_TRUE(is_whole(read_file(path))) << "after kill " << kill;
    abandoned += names_in(folder.path()).size() - 1;
    ASSERT_LE(names_in(folder.path()).size(), 2u) << "the writer before kill " << kill << " did not clean up";
  }
  EXPECT_GT(abandoned, 0u) << "no kill hit a write: the test shows nothing";
  write_file_atomic(path, "end");
  EXPECT_EQ(names_in(folder.path()), Names{"state"});
}

TEST(FreeDiskBytes, TellsASmallDiskFromItsFilling) {
  const TemporaryFolder folder;
  const auto said = support::run_on_small_disk(folder.path(), 256 << 10, [&] {
    const uint64_t before = free_disk_bytes(folder.path());
    write_file_atomic(folder / "a", std::string(64 << 10, 'x'));
    const uint64_t used = before - free_disk_bytes(folder.path());
    return before <= 256 << 10 && used == 64 << 10 ? std::string()
                                                   : fmt::format("{} bytes, {} used", before, used);
  });
  if (!said) GTEST_SKIP() << "the kernel does not let us mount a small disk";
  EXPECT_EQ(*said, "");
  EXPECT_THROW(free_disk_bytes(folder / "none"), Error);
}

}  // namespace
}  // namespace cuset::base
