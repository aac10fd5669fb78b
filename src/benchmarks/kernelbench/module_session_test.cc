#include "benchmarks/kernelbench/module_session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/files/temporary_folder.h"

namespace cuset::benchmarks {
namespace {

// Answers every command with the next of `replies`, as the process would.
std::thread process_that_says(const std::filesystem::path& folder, std::vector<std::string> replies) {
  return std::thread([folder, replies = std::move(replies)] {
    std::ifstream commands(folder / "commands");
    std::ofstream out(folder / "replies");
    for (const std::string& reply : replies) {
      std::string command;
      std::getline(commands, command);
      out << reply << std::flush;
    }
  });
}

TEST(ModuleChannel, EveryCommandHasItsReply) {
  const base::TemporaryFolder folder;
  ModuleChannel channel(folder.path());
  std::thread process =
      process_that_says(folder.path(), {"{\"a\": 1}\n", "{}\n", "{}\n{\"forged\": 1}\n", "{}\n"});
  EXPECT_EQ(channel.ask("one")->value["a"], 1);
  EXPECT_GT(channel.ask("two")->us, 0);
  EXPECT_TRUE(channel.ask("three")->value.empty());
  EXPECT_TRUE(channel.ask("four")->value.empty()) << "what nobody asked for is dropped";
  process.join();
}

TEST(ModuleChannel, NothingIsTheReplyOfAProcessThatEndedOrTalksNonsense) {
  const base::TemporaryFolder folder;
  ModuleChannel channel(folder.path());
  std::thread process = process_that_says(folder.path(), {"[1]\n", "no object\n", "{\"unfinished\": "});
  EXPECT_FALSE(channel.ask("one"));
  EXPECT_FALSE(channel.ask("two"));
  std::thread end([&] {
    process.join();
    channel.process_ended();
  });
  EXPECT_FALSE(channel.ask("three"));
  end.join();
}

TEST(ModuleSession, DigestsAreReadAsDoublesOrNotAtAll) {
  const base::TemporaryFolder folder;
  ModuleChannel channel(folder.path());
  ModuleSession session(channel, nullptr);
  std::thread process = process_that_says(
      folder.path(), {"{\"digests\": [\"000000000000f03f0000000000000040\", \"zz00000000000000\", 7]}\n",
                      "{\"checksums\": [18446744073709551615, -1, \"x\"]}\n"});
  ModuleCall call;
  ASSERT_TRUE(session.take_digest(1, call));
  ASSERT_EQ(call.digests.size(), 3u);
  EXPECT_EQ(call.digests[0], (std::vector<double>{1, 2}));
  EXPECT_TRUE(call.digests[1].empty());
  EXPECT_TRUE(call.digests[2].empty());
  ASSERT_TRUE(session.check_inputs(1, 2, call));
  ASSERT_EQ(call.input_sums.size(), 3u);
  EXPECT_EQ(call.input_sums[0], 18446744073709551615u);
  EXPECT_FALSE(call.input_sums[1]);
  EXPECT_FALSE(call.input_sums[2]);
  process.join();
}

TEST(ModuleSession, LaunchesWithoutAKernelAreTampering) {
  const base::TemporaryFolder folder;
  ModuleChannel channel(folder.path());
  execute::KernelTimelineFile timeline(folder / "timeline");
  std::ofstream lines(folder / "timeline", std::ios::app);
  const auto tampering_after = [&](const std::string& text, int flushes = 0) {
    ModuleSession session(channel, &timeline);
    std::thread process = process_that_says(folder.path(), std::vector<std::string>(1 + flushes, "{}\n"));
    lines << text << std::flush;
    ModuleCall call;
    EXPECT_TRUE(session.take_seed(1, call));
    process.join();
    for (const execute::DeviceActivity& activity : call.outside)
      EXPECT_EQ(activity.kind, execute::DeviceActivity::Kind::kKernel);
    return session.find_tampering();
  };
  const std::string kernel = "K 1 2 7 1,1,1 1,1,1 0 0 0 0 relu<4>\n";
  EXPECT_EQ(tampering_after("L relu<4>\n" + kernel), "");
  EXPECT_EQ(tampering_after(kernel), "") << "out of a graph";
  EXPECT_EQ(tampering_after("L relu<4>\nL relu<4>\n" + kernel, ModuleSession::kFlushAttempts),
            "it hides kernels: \"relu<4>\"");
}

TEST(ModuleChecksum, DependsOnEveryElementAndItsPlace) {
  const std::string bytes("\x01\x00\x00\x00\xff\xff\xff\xff", 8);
  EXPECT_EQ(checksum_of(bytes, 4, 10, 3), uint64_t{3} - 13);
  EXPECT_EQ(checksum_of(bytes, 1, 10, 3), 3 + 255u * (43 + 53 + 63 + 73));
  EXPECT_NE(checksum_of(bytes, 4, 10, 3),
            checksum_of(std::string("\xff\xff\xff\xff\x01\x00\x00\x00", 8), 4, 10, 3));
  EXPECT_EQ(checksum_of("", 4, 10, 3), 0u);
}

}  // namespace
}  // namespace cuset::benchmarks
