#include "base/files/search_path.h"

#include <errno.h>
#include <gtest/gtest.h>

namespace cuset::base {
namespace {

using Folders = std::vector<std::filesystem::path>;

TEST(ProgramFolder, HoldsTheRunningProgram) {
  EXPECT_TRUE(program_folder().is_absolute());
  EXPECT_TRUE(std::filesystem::is_regular_file(program_folder() / program_invocation_short_name));
}

TEST(SearchPath, KeepsTheOrder) {
  EXPECT_EQ(search_path_folders("/usr/local/bin:/usr/bin:/bin"),
            Folders({"/usr/local/bin", "/usr/bin", "/bin"}));
}

TEST(SearchPath, LeavesOutTheCurrentFolderHoweverItIsWritten) {
  EXPECT_EQ(search_path_folders(":/usr/bin::.:tools:/bin:"), Folders({"/usr/bin", "/bin"}));
  EXPECT_EQ(search_path_folders(""), Folders());
  EXPECT_EQ(search_path_folders(":"), Folders());
}

}  // namespace
}  // namespace cuset::base
