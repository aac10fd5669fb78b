#include "sandbox/resource_group.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

// Folders of groups made by this process.
size_t groups_of_ours() {
  const std::string prefix = "cuset-" + std::to_string(::getpid()) + "-";
  size_t count = 0;
  std::error_code ignored;
  for (auto at = fs::recursive_directory_iterator("/sys/fs/cgroup",
                                                  fs::directory_options::skip_permission_denied, ignored);
       at != fs::recursive_directory_iterator(); at.increment(ignored)) {
    if (at->path().filename().string().starts_with(prefix)) ++count;
  }
  return count;
}

TEST(ResourceGroup, LimitsOrSaysWhyNot) {
  const ResourceGroup group({.memory = 64 << 20, .processes = 8});
  EXPECT_FALSE(group.description().empty());
  EXPECT_EQ(group.entrances().empty(), !group.limits_memory() && !group.limits_processes());
  EXPECT_EQ(group.memory_kills(), 0u);
}

TEST(ResourceGroup, LeavesNoFolderBehind) {
  {
    const ResourceGroup group({.memory = 64 << 20, .processes = 8});
    if (!group.limits_memory()) GTEST_SKIP() << "skipped: no control groups";
    EXPECT_GT(groups_of_ours(), 0u);
  }
  EXPECT_EQ(groups_of_ours(), 0u);
}

}  // namespace
}  // namespace cuset::sandbox
