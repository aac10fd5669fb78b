#include "sandbox/abilities.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "sandbox/process.h"

namespace cuset::sandbox {
namespace {

TEST(SandboxAbilities, EveryProbeSaysWhatItSaw) {
  const SandboxAbilities abilities = probe_sandbox_abilities();
  for (const Ability* ability : {&abilities.user_namespaces, &abilities.bubblewrap, &abilities.seccomp,
                                 &abilities.cgroups, &abilities.landlock, &abilities.full_confinement}) {
    EXPECT_FALSE(ability->detail.empty());
  }
}

TEST(SandboxAbilities, NamespaceProbeAgreesWithUnshare) {
  const bool allowed =
      run_process({"unshare", "--user", "--mount", "--pid", "--net", "--ipc", "true"}).succeeded();
  EXPECT_EQ(probe_sandbox_abilities().user_namespaces.present, allowed);
}

TEST(SandboxAbilities, SeccompProbeAgreesWithTheKernel) {
  const std::filesystem::path actions = "/proc/sys/kernel/seccomp/actions_avail";
  if (!std::filesystem::exists(actions))
    GTEST_SKIP() << "skipped: the kernel does not list its seccomp actions";
  const bool listed = base::read_file(actions).find("errno") != std::string::npos;
  EXPECT_EQ(probe_sandbox_abilities().seccomp.present, listed);
}

TEST(SandboxAbilities, ProbingLeavesThisProcessAlone) {
  const auto before = std::filesystem::read_symlink("/proc/self/ns/user");
  probe_sandbox_abilities();
  EXPECT_EQ(std::filesystem::read_symlink("/proc/self/ns/user"), before);
}

}  // namespace
}  // namespace cuset::sandbox
