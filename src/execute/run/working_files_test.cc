#include "execute/run/working_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

TEST(WorkingFiles, OnlyWhatTheProgramWroteComesBack) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "here/data");
  write_file_atomic(folder / "here/data/in.bin", "in");
  write_file_atomic(folder / "here/data/both.bin", "before");
  write_file_atomic(folder / "here/list.txt", "list");
  fs::create_directories(folder / "work");
  const WorkingFiles files({(folder / "here/data/").string(), (folder / "here/list.txt").string()},
                           folder / "work");
  EXPECT_EQ(read_file(folder / "work/data/in.bin"), "in");
  EXPECT_EQ(read_file(folder / "work/list.txt"), "list");

  write_file_atomic(folder / "work/data/both.bin", "after!");
  write_file_atomic(folder / "work/data/out.bin", "out");
  fs::create_symlink("/etc/passwd", folder / "work/link");
  EXPECT_EQ(files.copy_written(folder / "results").files, 2u);
  EXPECT_EQ(regular_files_below(folder / "results"),
            (std::vector<std::string>{"data/both.bin", "data/out.bin"}));
  EXPECT_EQ(read_file(folder / "results/data/both.bin"), "after!");
}

TEST(WorkingFiles, MissingAndEqualNamesAreRefused) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a");
  fs::create_directories(folder / "b/a");
  fs::create_directories(folder / "work");
  EXPECT_THROW(WorkingFiles({"/no/such/file"}, folder / "work"), Error);
  EXPECT_THROW(WorkingFiles({(folder / "a").string(), (folder / "b/a").string()}, folder / "work"), Error);
}

}  // namespace
}  // namespace cuset
