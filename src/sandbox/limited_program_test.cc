// What limits-only confinement closes beside the limits, where the kernel or root's rights allow it.
#include "sandbox/limited_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "sandbox/landlock.h"
#include "support/hostile_program.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr int kScopesSignals = 6;

class LimitedConfinement : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(support::has_no_children()); }

  support::HostileTrial trial_{Confinement::kLimits};
};

TEST_F(LimitedConfinement, CannotKillItsParent) {
  if (::geteuid() != 0 && landlock_version() < kScopesSignals) GTEST_SKIP() << "skipped: the kernel lets it";
  EXPECT_EQ(trial_.run_hostile({"kill", std::to_string(::getpid())}).output, "kill EPERM\n");
}

TEST_F(LimitedConfinement, CannotChangeFilesOfOthers) {
  if (::geteuid() != 0 && landlock_version() == 0) GTEST_SKIP() << "skipped: the kernel lets it";
  const base::TemporaryFolder sibling;
  base::write_file_atomic(sibling / "kept", "before");
  const std::string name = (sibling / "kept").string();
  EXPECT_FALSE(trial_.run_shell("echo after > " + name).succeeded());
  EXPECT_FALSE(trial_.run_shell("rm -f " + name).succeeded());
  EXPECT_EQ(base::read_file(name), "before");
}

TEST_F(LimitedConfinement, CannotWriteItsParentsMemory) {
  if (::geteuid() != 0 && landlock_version() == 0) GTEST_SKIP() << "skipped: the kernel lets it";
  EXPECT_FALSE(trial_.run_shell(fmt::format("true > /proc/{}/mem", ::getpid())).succeeded());
}

TEST_F(LimitedConfinement, RootsProgramIsNotRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "skipped: needs root";
  const SandboxResult result = trial_.run_shell("id -u");
  EXPECT_GE(std::stoul(result.output), 0x40000000u);
}

TEST_F(LimitedConfinement, RootsProgramOwnsWhatLiesInItsFolder) {
  fs::create_directory(trial_.folder / "inner");
  base::write_file_atomic(trial_.folder / "inner/file", "text");
  EXPECT_TRUE(trial_.run_shell("echo more >> inner/file && echo new > inner/new").succeeded());
  EXPECT_EQ(base::read_file(trial_.folder / "inner/file"), "textmore\n");
}

TEST_F(LimitedConfinement, LinksInTheFolderDoNotHandOverWhatTheyNameIfRoot) {
  const base::TemporaryFolder sibling;
  base::write_file_atomic(sibling / "kept", "before");
  fs::create_symlink(sibling / "kept", trial_.folder / "link");
  fs::create_symlink(sibling.path(), trial_.folder / "folder");
  trial_.run_shell("true");
  struct stat status{};
  ASSERT_EQ(::stat((sibling / "kept").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, ::geteuid());
}

}  // namespace
}  // namespace cuset::sandbox
