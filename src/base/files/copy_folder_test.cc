#include "base/files/copy_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

TEST(CopyFolder, FilesAndFoldersArriveWithTheirContent) {
  const TemporaryFolder folder;
  const fs::path from = folder / "from";
  fs::create_directories(from / "data/deep");
  fs::create_directories(from / "empty");
  write_file_atomic(from / "a.txt", "a");
  write_file_atomic(from / "data/deep/b.bin", std::string(100'000, 'b') + std::string(70'000, '\0'));
  const CopiedFiles copied = copy_folder(from, folder / "to");
  EXPECT_EQ(copied.files, 2u);
  EXPECT_EQ(copied.bytes, 170'001u);
  EXPECT_TRUE(copied.left_out.empty());
  EXPECT_EQ(read_file(folder / "to/a.txt"), "a");
  EXPECT_EQ(read_file(folder / "to/data/deep/b.bin"), read_file(from / "data/deep/b.bin"));
  EXPECT_TRUE(fs::is_directory(folder / "to/empty"));
  EXPECT_EQ(regular_files_below(folder / "to"), (std::vector<std::string>{"a.txt", "data/deep/b.bin"}));
}

TEST(CopyFolder, LinksAndPipesAreNamedButNeverOpened) {
  const TemporaryFolder folder;
  const fs::path from = folder / "from";
  fs::create_directories(from);
  write_file_atomic(folder / "secret", "secret");
  fs::create_symlink(folder / "secret", from / "link");
  fs::create_directory_symlink(folder.path(), from / "up");
  ASSERT_EQ(::mkfifo((from / "pipe").c_str(), 0600), 0);
  const CopiedFiles copied = copy_folder(from, folder / "to");
  EXPECT_EQ(copied.files, 0u);
  EXPECT_EQ(copied.left_out.size(), 3u);
  EXPECT_TRUE(regular_files_below(folder / "to").empty());
  EXPECT_THROW(copy_regular_file(from / "link", folder / "copy"), Error);
  EXPECT_THROW(copy_regular_file(from / "pipe", folder / "copy"), Error);
}

TEST(CopyFolder, SparseFilesStaySmall) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "from");
  write_file_atomic(folder / "from/sparse", "x");
  fs::resize_file(folder / "from/sparse", 64 << 20);
  EXPECT_EQ(copy_folder(folder / "from", folder / "to").bytes, 64u << 20);
  struct stat status{};
  ASSERT_EQ(::stat((folder / "to/sparse").c_str(), &status), 0);
  EXPECT_EQ(status.st_size, 64 << 20);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

TEST(CopyFolder, AFolderThatIsNotThereHasNoFiles) {
  EXPECT_TRUE(regular_files_below("/no/such/folder").empty());
}

}  // namespace
}  // namespace cuset::base
