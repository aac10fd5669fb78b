#include "base/machine/machine_share.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/files/temporary_folder.h"

namespace cuset::base {
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

// Processor times of `count` processors that all did the same.
std::optional<ProcessorTimes> times(uint64_t count, uint64_t all, uint64_t busy, uint64_t own) {
  return ProcessorTimes{.processors = count, .all = count * all, .busy = busy, .own = own};
}

TEST_F(MachineShare, ProcessorsThatOthersKeepBusyAreNotFree) {
  const auto start = times(4, 1000, 500, 100);
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 500, 100)), 4);
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 600, 100)), 3) << "one is busy";
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 540, 100)), 4) << "one for less than half of the time";
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 660, 100)), 2) << "two for most of the time";
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 900, 500)), 4) << "with this process itself";
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 900, 300)), 2) << "half of it with this process";
  EXPECT_EQ(free_processors(4, start, times(4, 1100, 900, 100)), 1) << "all";
}

TEST_F(MachineShare, AQuotaIsFreeWhereTheOtherProcessorsAreBusy) {
  EXPECT_EQ(free_processors(2, times(4, 0, 0, 0), times(4, 100, 200, 0)), 2);
  EXPECT_EQ(free_processors(2, times(4, 0, 0, 0), times(4, 100, 300, 0)), 1);
}

TEST_F(MachineShare, AllAreFreeWhereNothingTells) {
  EXPECT_EQ(free_processors(4, std::nullopt, times(4, 100, 400, 0)), 4);
  EXPECT_EQ(free_processors(4, times(4, 0, 0, 0), std::nullopt), 4);
  EXPECT_EQ(free_processors(4, times(4, 0, 0, 0), times(4, 4, 16, 0)), 4) << "too short a time";
  EXPECT_EQ(free_processors(4, times(4, 100, 50, 0), times(4, 50, 10, 0)), 4)
      << "a clock that goes backwards";
  EXPECT_EQ(free_processors(4, times(4, 0, 0, 0), times(3, 100, 300, 0)), 4) << "a processor was taken away";
}

// A process that may run on one processor only, as the number of the machine's is the machine's.
TEST_F(MachineShare, ProcessorTimesAreThoseOfItsOwnProcessors) {
  std::optional<ProcessorTimes> found;
  write("proc/self/stat", "7 (a ) b) R 1 7 7 0 -1 4194304 99 0 0 0 11 5 200 3000 20 0 1 0 5 6 7\n");
  std::thread([&] {
    const int processor = ::sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
    const std::string own = std::to_string(processor);
    write("proc/stat", "cpu  9 9 9 9 9 9 9 9 9 9\ncpu" + own +
                           " 1000 200 30 4 50000 600000 7000000 80000000 9 9\ncpu" +
                           std::to_string(processor + 1) + " 9 9 9 9 9 9 9 9 9 9\nintr 5 6\n");
    found = processor_times(files());
  }).join();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->processors, 1);
  EXPECT_EQ(found->all, 87651234);
  EXPECT_EQ(found->busy, 87601230);
  EXPECT_EQ(found->own, 3216);
}

TEST_F(MachineShare, ProcessorTimesOfOtherProcessorsAreNone) {
  write("proc/self/stat", "7 (cuset) R 1 7 7 0 -1 4194304 99 0 0 0 11 5 200 3000 20 0 1 0 5 6 7\n");
  for (const char* text :
       {"", "cpu  1 2 3 4 5 6 7 8 9 10\n", "cpu9999 1 2 3 4 5 6 7 8 9 10\n", "cpu0 1 2 3\n", "cpu0\n",
        "cpu0 a b c d e f g h\n", "cpux 1 2 3 4 5 6 7 8\n", "cpu"}) {
    write("proc/stat", text);
    EXPECT_FALSE(processor_times(files())) << text;
  }
}

TEST_F(MachineShare, ProcessorTimesNeedOurOwn) {
  std::string stat;
  for (uint32_t i = 0; i < CPU_SETSIZE; ++i) stat += "cpu" + std::to_string(i) + " 1 1 1 1 1 1 1 1 0 0\n";
  write("proc/stat", stat);
  for (const char* own :
       {"", "7 (cuset", "7 (cuset)", "7 (cuset) R", "7 (cuset) R 1 7 7 0 -1 0 99 0 0 0 11 5 200"}) {
    write("proc/self/stat", own);
    EXPECT_FALSE(processor_times(files())) << own;
  }
  write("proc/self/stat", "7 (cuset) R 1 7 7 0 -1 0 99 0 0 0 11 5 200 3000 20\n");
  ASSERT_TRUE(processor_times(files()));
  EXPECT_EQ(processor_times(files())->own, 3216);
}

TEST_F(MachineShare, ThisMachineTells) {
  const std::optional<ProcessorTimes> times = processor_times();
  if (!times) GTEST_SKIP() << "skipped: /proc/stat tells of other processors";
  EXPECT_GT(times->all, times->busy);
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
}  // namespace cuset::base
