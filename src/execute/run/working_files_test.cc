#include "execute/run/working_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

TEST(WorkingFiles, OnlyWhatTheProgramWroteComesBack) {
  const base::TemporaryFolder folder;
  fs::create_directories(folder / "here/data");
  base::write_file_atomic(folder / "here/data/in.bin", "in");
  base::write_file_atomic(folder / "here/data/both.bin", "before");
  base::write_file_atomic(folder / "here/list.txt", "list");
  fs::create_directories(folder / "work");
  const WorkingFiles files({(folder / "here/data/").string(), (folder / "here/list.txt").string()},
                           folder / "work");
  EXPECT_EQ(base::read_file(folder / "work/data/in.bin"), "in");
  EXPECT_EQ(base::read_file(folder / "work/list.txt"), "list");

  base::write_file_atomic(folder / "work/data/both.bin", "after!");
  base::write_file_atomic(folder / "work/data/out.bin", "out");
  fs::create_symlink("/etc/passwd", folder / "work/link");
  EXPECT_EQ(files.copy_written(folder / "results").files, 2u);
  EXPECT_EQ(base::regular_files_below(folder / "results"),
            (std::vector<std::string>{"data/both.bin", "data/out.bin"}));
  EXPECT_EQ(base::read_file(folder / "results/data/both.bin"), "after!");
}

TEST(WorkingFiles, MissingAndEqualNamesAreRefused) {
  const base::TemporaryFolder folder;
  fs::create_directories(folder / "a");
  fs::create_directories(folder / "b/a");
  fs::create_directories(folder / "work");
  EXPECT_THROW(WorkingFiles({"/no/such/file"}, folder / "work"), base::Error);
  EXPECT_THROW(WorkingFiles({(folder / "a").string(), (folder / "b/a").string()}, folder / "work"),
               base::Error);
}

}  // namespace
}  // namespace cuset::execute
