#include "base/files/remove_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

TEST(RemoveFolder, TakesEverythingInItAndNothingElse) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "gone/deep/er");
  write_file_atomic(folder / "gone/deep/a", "x");
  write_file_atomic(folder / "stays", "y");
  fs::create_directory(folder / "target");
  write_file_atomic(folder / "target/b", "z");
  fs::create_directory_symlink(folder / "target", folder / "gone/link");
  EXPECT_TRUE(remove_folder(folder / "gone"));
  EXPECT_FALSE(fs::exists(folder / "gone"));
  EXPECT_TRUE(fs::exists(folder / "stays"));
  EXPECT_TRUE(fs::exists(folder / "target/b"));
}

TEST(RemoveFolder, FoldersDeeperThanAPathCanBeLongGo) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "deep");
  int at = ::open((folder / "deep").c_str(), O_RDONLY | O_DIRECTORY);
  const std::string name(100, 'd');
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(::mkdirat(at, name.c_str(), 0700), 0);
    const int file = ::openat(at, "file", O_WRONLY | O_CREAT, 0400);
    ASSERT_GE(file, 0);
    ::close(file);
    const int below = ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_GE(below, 0);
    ::close(at);
    at = below;
  }
  ::close(at);
  EXPECT_TRUE(remove_folder(folder / "deep"));
}

TEST(RemoveFolder, FoldersThatForbidReadingGo) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "shut/in/side");
  write_file_atomic(folder / "shut/in/side/a", "x");
  fs::permissions(folder / "shut/in/side", fs::perms::none);
  fs::permissions(folder / "shut/in", fs::perms::none);
  fs::permissions(folder / "shut", fs::perms::none);
  EXPECT_TRUE(remove_folder(folder / "shut"));
}

TEST(RemoveFolder, AFileUnderThatNameGoes) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "file", "x");
  EXPECT_TRUE(remove_folder(folder / "file"));
}

TEST(RemoveFolder, WhatIsNotThereIsGone) {
  const TemporaryFolder folder;
  EXPECT_TRUE(remove_folder(folder / "none"));
}

}  // namespace
}  // namespace cuset::base
