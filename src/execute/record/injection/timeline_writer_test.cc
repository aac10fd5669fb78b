#include "execute/record/injection/timeline_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "base/files/temporary_folder.h"
#include "execute/record/kernel_timeline.h"

namespace cuset::execute {
namespace {

using Kind = DeviceActivity::Kind;

// What a process with a writer of its own leaves; it ends as a killed program would.
void write_with(const KernelTimelineFile& file,
                const std::function<void(cuset_injection::TimelineWriter&)>& work) {
  std::map<std::string, std::string> environment;
  file.announce_in(environment);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (cuset_injection::TimelineWriter* writer = cuset_injection::TimelineWriter::get()) work(*writer);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

TEST(KernelTimeline, WhatWasFlushedIsReadOnceAndInOrder) {
  const base::TemporaryFolder folder;
  KernelTimelineFile file(folder / "timeline");
  write_with(file, [](cuset_injection::TimelineWriter& writer) {
    writer.launch("_Z5saxpyifPKfPf");
    writer.kernel({"_Z5saxpyifPKfPf", {{4, 2, 1}, {256, 1, 1}}, 1000, 3500, 7, {48, 32, 32, 8}});
    writer.copy(4000, 5000, "DtoH", 1024);
    writer.fill(6000, 6100, 64);
    writer.flush();
    writer.note("persisting_l2");
    writer.fill(7000, 7100, 64);  // never flushed
  });
  std::vector<DeviceActivity> read = file.read_new();
  ASSERT_EQ(read.size(), 5u);
  EXPECT_EQ(read[0].kind, Kind::kLaunch);
  EXPECT_EQ(read[0].name, "saxpy");
  read.erase(read.begin());
  EXPECT_EQ(read[0].kind, Kind::kKernel);
  EXPECT_EQ(read[0].name, "saxpy");
  EXPECT_EQ(read[0].stream, 7u);
  EXPECT_EQ(read[0].shared_bytes, 48u);
  EXPECT_EQ(read[0].static_shared_bytes, 32u);
  EXPECT_EQ(read[0].local_bytes, 8u);
  EXPECT_EQ(read[0].registers, 32u);
  EXPECT_EQ(read[0].grid[1], 2u);
  EXPECT_EQ(read[0].block[0], 256u);
  EXPECT_DOUBLE_EQ(read[0].us(), 2.5);
  EXPECT_EQ(read[1].kind, Kind::kCopy);
  EXPECT_EQ(read[1].name, "DtoH");
  EXPECT_EQ(read[1].bytes, 1024u);
  EXPECT_EQ(read[2].kind, Kind::kFill);
  EXPECT_EQ(read[3].kind, Kind::kNote);
  EXPECT_EQ(read[3].name, "persisting_l2");
  EXPECT_DOUBLE_EQ(span_us(read), 5.1);
  EXPECT_TRUE(file.read_new().empty());
  EXPECT_FALSE(file.is_damaged());
}

TEST(KernelTimeline, ANameCannotEndItsLine) {
  const base::TemporaryFolder folder;
  KernelTimelineFile file(folder / "timeline");
  write_with(file, [](cuset_injection::TimelineWriter& writer) {
    writer.kernel({"evil\nK 0 9 0 1,1,1 1,1,1 0 0 0 0 forged", {{1, 1, 1}, {1, 1, 1}}, 1, 2, 0, {}});
    writer.flush();
  });
  const std::vector<DeviceActivity> read = file.read_new();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name.substr(0, 5), "evil?");
}

TEST(KernelTimeline, APartOfALineWaitsForItsEnd) {
  const base::TemporaryFolder folder;
  KernelTimelineFile file(folder / "timeline");
  std::ofstream out(folder / "timeline", std::ios::app);
  out << "S 1 2 " << std::flush;
  EXPECT_TRUE(file.read_new().empty());
  out << "64\n" << std::flush;
  ASSERT_EQ(file.read_new().size(), 1u);
  EXPECT_FALSE(file.is_damaged());
}

TEST(KernelTimeline, AShorterFileAndOtherLinesAreDamage) {
  const base::TemporaryFolder folder;
  KernelTimelineFile file(folder / "timeline");
  std::ofstream(folder / "timeline", std::ios::app) << "S 1 2 64\n";
  EXPECT_EQ(file.read_new().size(), 1u);
  ASSERT_EQ(::truncate((folder / "timeline").c_str(), 3), 0);
  EXPECT_TRUE(file.read_new().empty());
  EXPECT_TRUE(file.is_damaged());
  DeviceActivity activity;
  for (const char* bad :
       {"", "K", "K 1 2", "K 1 2 3 1,1,1 1,1,1 0 0 0 0 ", "K 2 1 0 1,1,1 1,1,1 0 0 0 0 k",
        "K x 2 0 1,1,1 1,1,1 0 0 0 0 k", "K 1 2 0 1,1 1,1,1 0 0 0 0 k", "K 1 2 0 1,1,1 1,1,1,1 0 0 0 0 k",
        "K 1 2 0 1,1,-1 1,1,1 0 0 0 0 k", "C 1 2 DtoH", "C 1 2 DtoH -4", "S 1 2", "Q 1 2 3"})
    EXPECT_FALSE(parse_activity(bad, activity)) << bad;
}

}  // namespace
}  // namespace cuset::execute
