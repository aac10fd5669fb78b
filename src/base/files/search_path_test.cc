#include "base/files/search_path.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

using Folders = std::vector<std::filesystem::path>;

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
