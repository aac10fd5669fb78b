#include "sandbox/folder_walk.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

TEST(FolderWalk, VisitsEverythingButFollowsNoLink) {
  const base::TemporaryFolder folder;
  fs::create_directories(folder / "a/b");
  base::write_file_atomic(folder / "a/b/c", "text");
  fs::create_directory_symlink("/usr", folder / "link");
  std::set<std::string> names;
  EXPECT_TRUE(walk_folder(folder.path(), [&](int, const char* name, const struct stat&) {
    names.insert(name);
    return true;
  }));
  EXPECT_EQ(names, (std::set<std::string>{"a", "b", "c", "link"}));
}

TEST(FolderWalk, SizeIsWhatFilesOccupy) {
  const base::TemporaryFolder folder;
  fs::create_directory(folder / "a");
  base::write_file_atomic(folder / "a/file", std::string(1 << 20, 'x'));
  base::write_file_atomic(folder / "sparse", "");
  fs::resize_file(folder / "sparse", 1ULL << 30);
  EXPECT_TRUE(is_folder_larger(folder.path(), 1 << 19, 100));
  EXPECT_FALSE(is_folder_larger(folder.path(), 2 << 20, 100));
  EXPECT_FALSE(is_folder_larger(folder / "missing", 0, 0));
}

TEST(FolderWalk, ManyEmptyFilesAreTooMuch) {
  const base::TemporaryFolder folder;
  for (int i = 0; i < 20; ++i) base::write_file_atomic(folder / std::to_string(i), "");
  EXPECT_FALSE(is_folder_larger(folder.path(), 1 << 20, 20));
  EXPECT_TRUE(is_folder_larger(folder.path(), 1 << 20, 19));
}

// A chain of folders neither exhausts our descriptors nor hides what lies at its end.
TEST(FolderWalk, DepthIsBounded) {
  const base::TemporaryFolder folder;
  fs::path deep = folder.path();
  for (int level = 0; level < 200; ++level) deep /= "d";
  fs::create_directories(deep);
  EXPECT_TRUE(is_folder_larger(folder.path(), 1 << 30, 1000));
}

}  // namespace
}  // namespace cuset::sandbox
