// The same tests under other conditions, where we are root and can make them: as an ordinary user, who has no
// control groups, and as root without control groups.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "sandbox/resource_group.h"
#include "support/hostile_program.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInner = "CUSET_SANDBOX_TEST_INNER";
constexpr uid_t kNobody = 65534;

// This test program and the hostile one, where every user can execute them.
class SandboxElsewhere : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0 || std::getenv(kInner) != nullptr) GTEST_SKIP() << "skipped: needs root";
    fs::permissions(folder_.path(), fs::perms(0755));
    for (const auto& [from, name] : {std::pair<fs::path, const char*>{"/proc/self/exe", "test"},
                                     {support::hostile_program(), "hostile"}}) {
      fs::copy_file(from, folder_ / name);
      fs::permissions(folder_ / name, fs::perms(0755));
    }
    fs::create_directory(folder_ / "tmp");
    ASSERT_EQ(::chown((folder_ / "tmp").c_str(), kNobody, kNobody), 0);
  }

  // Runs those of our tests that `filter` names, behind `way` into the other conditions.
  void run_tests(const std::vector<std::string>& way, const std::string& filter) {
    std::vector<std::string> arguments{"env", std::string(kInner) + "=1",
                                       "TMPDIR=" + (folder_ / "tmp").string(),
                                       "CUSET_HOSTILE_PROGRAM=" + (folder_ / "hostile").string()};
    arguments.insert(arguments.end(), way.begin(), way.end());
    arguments.insert(arguments.end(),
                     {(folder_ / "test").string(), "--gtest_brief=1", "--gtest_filter=" + filter});
    const ProcessResult result = run_process(arguments, {.time_limit = std::chrono::seconds(120)});
    EXPECT_TRUE(result.succeeded()) << result.output;
    EXPECT_NE(result.output.find("[  PASSED  ]"), std::string::npos) << result.output;
  }

  base::TemporaryFolder folder_;
};

TEST_F(SandboxElsewhere, HoldsForAnOrdinaryUser) {
  const std::vector<std::string> way{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  if (!run_process({"setpriv", "--version"}).succeeded()) GTEST_SKIP() << "skipped: no setpriv";
  run_tests(way, "*Sandbox.*:*Confinement.*:SystemCallFilter.*:-*Compilers*");
}

// Inside a group of ours all the same, which the tested code does not see: a failure must not take the
// machine with it.
TEST_F(SandboxElsewhere, HoldsForRootWithoutControlGroups) {
  const ResourceGroup guard({.memory = 4ULL << 30, .processes = 1000});
  const bool can_mount =
      run_process({"unshare", "--mount", "mount", "-t", "tmpfs", "none", "/sys/fs/cgroup"}).succeeded();
  if (!guard.limits_processes() || !can_mount) GTEST_SKIP() << "skipped: no groups or mounts of our own";
  std::string script;
  for (const int entrance : guard.entrances()) {
    script += fmt::format("echo 0 > /proc/{}/fd/{} && ", ::getpid(), entrance);
  }
  script += "mount -t tmpfs none /sys/fs/cgroup && exec \"$@\"";
  run_tests({"unshare", "--mount", "sh", "-c", script, "sh"},
            "*Sandbox.Memory*:*Sandbox.Processes*:*Sandbox.ForkBomb*:*Sandbox.Daemon*");
}

}  // namespace
}  // namespace cuset::sandbox
