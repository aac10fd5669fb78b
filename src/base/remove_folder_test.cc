#include "base/remove_folder.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace cuset {
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

TEST(RemoveFolder, WhatIsNotThereIsGone) {
  const TemporaryFolder folder;
  EXPECT_TRUE(remove_folder(folder / "none"));
}

}  // namespace
}  // namespace cuset
