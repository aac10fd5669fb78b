// The driver's own eyes: what it looks for after a hostile run is put there on purpose.
#include "cuda/leftovers.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files/temporary_folder.h"
#include "cuda/hostile_run.h"
#include "cuda/planted_secrets.h"

namespace cuset::tests {
namespace {

TEST(Leftovers, ChildrenAreSeenUntilTheyAreDead) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  EXPECT_NE(living_processes("no such token").find(std::to_string(child)), std::string::npos);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(living_processes("no such token").find(std::to_string(child)), std::string::npos);
}

TEST(Leftovers, OrphansComeToUs) {
  adopt_orphans();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      for (;;) ::pause();
    }
    ::_exit(::write(ends[1], &grandchild, sizeof grandchild) == sizeof grandchild ? 0 : 1);
  }
  pid_t orphan = 0;
  ASSERT_EQ(::read(ends[0], &orphan, sizeof orphan), static_cast<ssize_t>(sizeof orphan));
  ::waitpid(child, nullptr, 0);
  EXPECT_NE(living_processes("no such token").find(std::to_string(orphan)), std::string::npos);
  ::kill(orphan, SIGKILL);
  ::waitpid(orphan, nullptr, 0);
}

TEST(Leftovers, FilesAreSeenByTheirToken) {
  const base::TemporaryFolder folder;
  EXPECT_EQ(files_left("token-of-this-test", {folder.path()}), "");
  std::ofstream(folder / "x-token-of-this-test") << "x";
  EXPECT_NE(files_left("token-of-this-test", {folder.path()}), "");
}

TEST(Leftovers, NewAndMissingMountsAreDifferences) {
  MachineState before, after;
  before.mounts = {"a", "b"};
  after.mounts = {"b", "c"};
  after.groups = {"group"};
  EXPECT_EQ(state_differences(before, before), "");
  EXPECT_EQ(state_differences(before, after),
            "a new mount: c\na mount is gone: a\na control group is left: group\n");
}

TEST(PlantedSecrets, AreFoundInTextsAndMissedInFiles) {
  const base::TemporaryFolder folder;
  const PlantedSecrets secrets(folder.path(), folder / "cache");
  EXPECT_EQ(secrets.damage(), "");
  EXPECT_EQ(secrets.found_in("nothing"), "");
  EXPECT_EQ(secrets.found_in("text " + base::read_file(folder / "secret")), (folder / "secret").string());
  EXPECT_NE(secrets.found_in(::getenv("CUSET_TEST_SECRET")), "");
  std::ofstream(folder / "secret") << "changed";
  EXPECT_NE(secrets.damage(), "");
}

TEST(Listeners, CountConnections) {
  const base::TemporaryFolder folder;
  const Listeners listeners(folder / "socket", "cuset-listeners-test-" + std::to_string(::getpid()));
  EXPECT_EQ(listeners.connections(), 0);
  const base::FileDescriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(listeners.port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listeners.connections(), 1);
}

}  // namespace
}  // namespace cuset::tests
