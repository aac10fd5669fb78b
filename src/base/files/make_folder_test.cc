#include "base/files/make_folder.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

TEST(MakeFolder, WithTheFoldersAboveIt) {
  const TemporaryFolder folder;
  make_folder(folder / "a/b/c");
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
  write_file_atomic(folder / "a/b/c/file", "x");
  make_folder(folder / "a/b/c");
  EXPECT_EQ(read_file(folder / "a/b/c/file"), "x");
}

TEST(MakeFolder, WhatTheSystemRefusesHasARemedy) {
  const TemporaryFolder folder;
  write_file_atomic(folder / "file", "x");
  const std::string file = (folder / "file").string();
  EXPECT_EQ(support::error_of([&] { make_folder(file); }),
            "cannot make the folder " + file + ": Not a directory (check the path)");
  EXPECT_EQ(support::error_of([&] { make_folder(file + "/below"); }),
            "cannot make the folder " + file + "/below: Not a directory (check the path)");
}

}  // namespace
}  // namespace cuset::base
