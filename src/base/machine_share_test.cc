#include "base/machine_share.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/temporary_folder.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// /proc and /sys/fs/cgroup as a test wants them.
class MachineShare : public testing::Test {
 protected:
  void write(const fs::path& name, std::string_view text) const {
    fs::create_directories((folder_ / name.string()).parent_path());
    std::ofstream(folder_ / name.string()) << text;
  }
  MachineFiles files() const { return {folder_ / "proc", folder_ / "groups"}; }

  static uint32_t all_processors() { return usable_processors({"/nonexistent", "/nonexistent"}); }
  static uint32_t at_most(uint32_t limit) { return std::min(limit, all_processors()); }

 private:
  TemporaryFolder folder_;
};

TEST_F(MachineShare, WithoutLimitsItIsWhatTheProcessMayBeScheduledOn) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(all_processors(), static_cast<uint32_t>(CPU_COUNT(&set)));
  write("proc/self/cgroup", "0::/user\n");
  write("groups/user/cpu.max", "max 100000\n");
  EXPECT_EQ(usable_processors(files()), all_processors());
}

TEST_F(MachineShare, APinnedProcessCountsItsOwnProcessors) {
  uint32_t counted = 0;
  std::thread([&] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(::sched_getcpu(), &set);
    ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
    counted = all_processors();
  }).join();
  EXPECT_EQ(counted, 1);
}

TEST_F(MachineShare, AQuotaIsRoundedUp) {
  write("proc/self/cgroup", "0::/\n");
  write("groups/cpu.max", "50000 100000\n");
  EXPECT_EQ(usable_processors(files()), 1);
  write("groups/cpu.max", "150000 100000\n");
  EXPECT_EQ(usable_processors(files()), at_most(2));
}

TEST_F(MachineShare, TheTightestGroupAroundTheProcessCounts) {
  write("proc/self/cgroup", "0::/outer/middle/inner\n");
  write("groups/outer/cpu.max", "100000 100000\n");
  write("groups/outer/middle/inner/cpu.max", "max 100000\n");
  write("groups/outer/other/cpu.max", "1000 100000\n");
  EXPECT_EQ(usable_processors(files()), 1);
}

TEST_F(MachineShare, TheFirstVersionOfControlGroupsCounts) {
  write("proc/self/cgroup", "5:memory:/\n4:cpu,cpuacct:/docker/7f3a\n0::/\n");
  write("groups/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("groups/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(usable_processors(files()), all_processors());
  // A container sees its own group as the root, whatever the path says.
  write("groups/cpu,cpuacct/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(usable_processors(files()), 1);
}

TEST_F(MachineShare, TextThatMakesNoSenseLimitsNothing) {
  for (const char* text : {"", "\n", "0::", "a:b", "0::/../..\n", "::::\n", "0::/x\n4:cpu:\n"}) {
    write("proc/self/cgroup", text);
    for (const char* quota :
         {"", " ", "100000", "100000 ", "0 0", "-1 100000", "9e9 x", "99999999999999999999 1"}) {
      write("groups/cpu.max", quota);
      EXPECT_EQ(usable_processors(files()), all_processors()) << text << quota;
    }
  }
}

TEST_F(MachineShare, MemoryIsTheMachinesOrLess) {
  write("proc/self/cgroup", "4:memory:/box\n0::/box\n");
  EXPECT_EQ(usable_memory(files()), 0);
  write("proc/meminfo", "MemFree: 3 kB\nMemTotal:        1000 kB\n");
  EXPECT_EQ(usable_memory(files()), 1000 * 1024);
  write("groups/box/memory.max", "max\n");
  EXPECT_EQ(usable_memory(files()), 1000 * 1024);
  write("groups/memory/box/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(usable_memory(files()), 1000 * 1024);
  write("groups/memory/box/memory.limit_in_bytes", "500000\n");
  EXPECT_EQ(usable_memory(files()), 500000);
  write("groups/box/memory.max", "4096\n");
  EXPECT_EQ(usable_memory(files()), 4096);
}

}  // namespace
}  // namespace cuset
