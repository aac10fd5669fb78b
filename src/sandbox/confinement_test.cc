// Ways out of full confinement, each tried and found closed.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "support/hostile_program.h"
#include "support/scoped_variable.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

class FullConfinement : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(support::has_no_children()); }

  support::HostileTrial trial_{Confinement::kFull};
};

// The lines of `text` that do not end with `wanted`.
std::string lines_without(const std::string& text, const std::string& wanted) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!line.ends_with(wanted)) result += line + "\n";
  }
  return result;
}

TEST_F(FullConfinement, RefusesDangerousSystemCalls) {
  const SandboxResult result = trial_.run_hostile({"calls"});
  EXPECT_TRUE(result.succeeded());
  EXPECT_NE(result.output.find("ptrace"), std::string::npos);
  EXPECT_EQ(lines_without(result.output, " EPERM"), "clone3 ENOSYS\n");
}

TEST(SystemCallFilter, HoldsWithoutNamespaces) {
  const SandboxResult result = support::HostileTrial(Confinement::kLimits).run_hostile({"calls"});
  EXPECT_NE(result.output.find("ptrace"), std::string::npos);
  EXPECT_EQ(lines_without(result.output, " EPERM"), "clone3 ENOSYS\n");
}

TEST(SystemCallFilter, OtherArchitecturesEndTheProgram) {
  for (const char* architecture : {"i386", "x32"}) {
    EXPECT_EQ(support::HostileTrial(Confinement::kLimits).run_hostile({architecture}).signal, SIGSYS)
        << architecture;
  }
}

TEST_F(FullConfinement, HasNoNetwork) {
  const SandboxResult result =
      trial_.run_shell("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' \\n'");
  EXPECT_EQ(result.output, "lo");
}

TEST_F(FullConfinement, SeesOnlyItsOwnProcesses) {
  const SandboxResult result =
      trial_.run_shell("for p in /proc/[0-9]*; do echo ${p#/proc/}; done | sort -n | head -3 | tr '\\n' ' '");
  EXPECT_TRUE(result.output.starts_with("1 2 ")) << result.output;
  const SandboxResult ours = trial_.run_shell(fmt::format("cat /proc/{}/cmdline", ::getpid()));
  EXPECT_NE(ours.exit_status, 0);
}

TEST_F(FullConfinement, CannotKillOutwards) {
  for (const std::string& target :
       {std::string("-1"), std::to_string(::getpid()), std::to_string(::getppid())}) {
    EXPECT_EQ(trial_.run_hostile({"kill", target}).output, "kill ESRCH\n") << target;
  }
}

TEST_F(FullConfinement, FirstProcessOfTheNamespaceGivesNothingAway) {
  const support::ScopedVariable token("CUSET_TEST_TOKEN", "planted");
  const SandboxResult result = trial_.run_shell(
      "cat /proc/1/environ | grep -c planted; ls /proc/1/root/root /proc/1/cwd/root 2>/dev/null | wc -l; "
      "kill -9 1; "
      "kill -STOP 1; echo alive");
  EXPECT_EQ(result.output, "0\n0\nalive\n") << result.errors;
}

TEST_F(FullConfinement, SecretsAreOutOfSight) {
  const base::TemporaryFolder sibling;
  base::write_file_atomic(sibling / "secret", "token");
  fs::create_symlink(sibling / "secret", trial_.folder / "link");
  fs::create_symlink("/", trial_.folder / "root");
  const std::string secret = (sibling / "secret").string();
  for (const std::string& path :
       {secret, std::string("link"), "root" + secret, "../" + sibling.path().filename().string() + "/secret",
        std::string("/etc/shadow"), "/proc/1/root" + secret, "/proc/self/root" + secret}) {
    const SandboxResult result = trial_.run_shell("cat " + path);
    EXPECT_NE(result.exit_status, 0) << path;
    EXPECT_EQ(result.output, "") << path;
  }
  for (const char* folder : {"/root", "/home", "/var", "/run", "/sys", "/mnt", "/srv"}) {
    EXPECT_EQ(trial_.run_shell(std::string("ls -A ") + folder + " 2>/dev/null").output, "") << folder;
  }
}

TEST_F(FullConfinement, WritesOnlyIntoItsFolderAndTmp) {
  for (const char* path : {"/x", "/usr/x", "/etc/x", "/dev/x", "/proc/sys/kernel/core_pattern",
                           "/proc/self/comm", "/bin/x", "/lib/x", "../cuset-outside"}) {
    const bool beside = std::string(path) == "../cuset-outside";
    const SandboxResult result = trial_.run_shell(std::string("echo x > ") + path);
    EXPECT_EQ(result.succeeded(), beside) << path;  // beside the folder lies the private /tmp
  }
  EXPECT_FALSE(fs::exists(trial_.folder.path().parent_path() / "cuset-outside"));
  EXPECT_TRUE(trial_.run_shell("echo x > /tmp/y && echo x > /dev/shm/y && echo x > z").succeeded());
  EXPECT_TRUE(fs::exists(trial_.folder / "z"));
}

TEST_F(FullConfinement, LinksDoNotLeadOutOfTheFolder) {
  const base::TemporaryFolder sibling;
  base::write_file_atomic(sibling / "kept", "before");
  fs::create_symlink(sibling / "kept", trial_.folder / "link");
  trial_.run_shell("echo after > link; rm -rf " + sibling.path().string());
  EXPECT_EQ(base::read_file(sibling / "kept"), "before");
}

TEST_F(FullConfinement, ReadableIsReadOnly) {
  const base::TemporaryFolder sibling;
  base::write_file_atomic(sibling / "header.h", "text");
  trial_.command.readable.push_back(sibling.path());
  const std::string name = (sibling / "header.h").string();
  EXPECT_EQ(trial_.run_shell("cat " + name).output, "text");
  EXPECT_FALSE(trial_.run_shell("echo x > " + name).succeeded());
  EXPECT_FALSE(trial_.run_shell("rm -f " + name).succeeded());
  EXPECT_EQ(base::read_file(sibling / "header.h"), "text");
}

TEST_F(FullConfinement, FolderInsideAReadableFolderIsWritable) {
  fs::create_directory(trial_.folder / "inner");
  base::write_file_atomic(trial_.folder / "outer.txt", "text");
  trial_.command.readable.push_back(trial_.folder.path());
  trial_.command.folder = trial_.folder / "inner";
  EXPECT_TRUE(trial_.run_shell("echo x > here").succeeded());
  EXPECT_FALSE(trial_.run_shell("echo x > ../outer.txt").succeeded());
}

TEST_F(FullConfinement, HasNoPrivileges) {
  const SandboxResult result = trial_.run_shell(
      "id -u; grep -E 'Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status | cut -f2 | sort -u | tr '\\n' "
      "' '");
  EXPECT_EQ(result.output, "1000\n0000000000000000 1 ");
}

TEST_F(FullConfinement, SharesNoAbstractSocket) {
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const SandboxResult result = trial_.run_shell("wc -l < /proc/net/unix");
  ::close(listener);
  EXPECT_EQ(result.output, "1\n");
}

TEST_F(FullConfinement, PrivateTmpIsBounded) {
  trial_.command.limits.memory = 64 << 20;
  const SandboxResult result = trial_.run_shell("head -c 200m /dev/zero > /tmp/big");
  EXPECT_FALSE(result.succeeded());
}

TEST_F(FullConfinement, MissingBubblewrapIsNamedWithARemedy) {
  const support::ScopedVariable chosen("CUSET_BWRAP", "/nowhere/bwrap");
  try {
    trial_.run_shell("true");
    ADD_FAILURE() << "ran without bubblewrap";
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("bubblewrap"), std::string::npos);
    EXPECT_NE(error.remedy().find("--sandbox=limits"), std::string::npos);
  }
}

// A bubblewrap that fails as it does where the kernel forbids namespaces.
TEST_F(FullConfinement, ForbiddenNamespacesAreNamedWithARemedy) {
  const base::TemporaryFolder sibling;
  const std::string name = (sibling / "bwrap").string();
  base::write_file_atomic(name,
                          "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n");
  fs::permissions(name, fs::perms::owner_all);
  const support::ScopedVariable chosen("CUSET_BWRAP", name);
  try {
    trial_.run_shell("true");
    ADD_FAILURE() << "ran without namespaces";
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("No permissions to create a new namespace"), std::string::npos);
    EXPECT_NE(error.remedy().find("--sandbox=limits"), std::string::npos);
  }
}

}  // namespace
}  // namespace cuset::sandbox
