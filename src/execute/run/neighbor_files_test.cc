#include "execute/run/neighbor_files.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

TEST(NeighborFiles, AFileOrTheFolderAroundItIsNamedByAString) {
  const base::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  for (const char* name : {"data/image.pgm", "other/unused.pgm", "table.txt", "given.bin", "program.cu"}) {
    fs::create_directories((folder / name).parent_path());
    base::write_file_atomic(folder / name, "x");
  }
  const std::string source = R"(// other/unused.pgm
    load("image.pgm"); open("./table.txt"); print("program.cu"); )";
  EXPECT_EQ(files_named_in({source}, {}, folder),
            (std::vector<fs::path>{folder / "data", folder / "table.txt"}));
  EXPECT_EQ(files_named_in({}, {"--file=given.bin"}, folder), std::vector<fs::path>{folder / "given.bin"});
}

TEST(NeighborFiles, NothingIsNamedInAFolderThatIsNotThere) {
  EXPECT_TRUE(files_named_in({"\"x\""}, {}, "/nonexistent").empty());
}

}  // namespace
}  // namespace cuset::execute
