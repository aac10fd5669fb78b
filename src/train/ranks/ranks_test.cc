#include "train/ranks/ranks.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <torch/cuda.h>
#include <torch/utils.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "support/free_port.h"
#include "train/ranks/process_groups.h"

namespace cuset::train {
namespace {

struct RankEnd {
  int exit_status = -1;  // 128 + signal where one ended it
  std::string output;
};

struct World {
  int size = 2;
  int started = 2;  // ranks 0 to started - 1
  std::string mode;
  int start_timeout_ms = 60'000;
  int timeout_ms = 60'000;
  std::string threads = "1";  // OMP_NUM_THREADS; empty: not set
  bool as_machines = false;   // for NCCL, which refuses two ranks on one GPU of one machine
};

std::string command_line(const World& world, int rank, int port) {
  const std::string threads =
      world.threads.empty() ? "-u OMP_NUM_THREADS" : "OMP_NUM_THREADS=" + world.threads;
  const std::string machine = world.as_machines ? fmt::format("NCCL_HOSTID={}", rank) : "";
  return fmt::format(
      "exec env {} {} RANK={} WORLD_SIZE={} LOCAL_RANK={} MASTER_ADDR=127.0.0.1 MASTER_PORT={} "
      "timeout -s KILL 90 '{}' {} {} {} 2>&1",
      threads, machine, rank, world.size, rank, port, CUSET_RANK_PROGRAM, world.mode, world.start_timeout_ms,
      world.timeout_ms);
}

// Starts the ranks and collects their output; a rank that hangs is killed after a minute and a half (137).
std::vector<RankEnd> run_world(const World& world) {
  const int port = support::free_port();
  std::vector<FILE*> pipes;
  for (int rank = 0; rank < world.started; ++rank) {
    pipes.push_back(popen(command_line(world, rank, port).c_str(), "r"));
  }
  std::vector<RankEnd> ends;
  for (FILE* pipe : pipes) {
    RankEnd end;
    char buffer[4096];
    while (const size_t count = fread(buffer, 1, sizeof(buffer), pipe)) end.output.append(buffer, count);
    const int status = pclose(pipe);
    end.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ends.push_back(std::move(end));
  }
  return ends;
}

// "bits ..." of the line that rank_program prints, without the warnings of LibTorch around it.
std::string bits_of(const RankEnd& end) {
  const size_t at = end.output.find("bits ");
  return at == std::string::npos ? "none: " + end.output : end.output.substr(at, 21);
}

#define EXPECT_SAYS(end, text) EXPECT_NE((end).output.find(text), std::string::npos) << (end).output

TEST(Ranks, OneRankAloneNeedsNobody) {
  Ranks ranks((RankEnvironment()));
  auto tensor = torch::ones({3});
  ranks.all_reduce_sum(tensor, "a sum");
  ranks.broadcast(tensor, "a broadcast");
  ranks.barrier("a barrier");
  EXPECT_EQ(tensor.sum().item<float>(), 3.0f);
  EXPECT_EQ(ranks.all_gather("text", "texts"), std::vector<std::string>{"text"});
  EXPECT_TRUE(ranks.is_first());
  ranks.finish();
}

TEST(Ranks, SumsHaveTheSameBitsOnEveryRankAndInEveryRun) {
  for (const int size : {2, 3}) {
    std::string bits;
    for (int repetition = 0; repetition < 2; ++repetition) {
      for (const RankEnd& end : run_world({size, size, "sum"})) {
        ASSERT_EQ(end.exit_status, 0) << end.output;
        if (bits.empty()) bits = bits_of(end);
        EXPECT_EQ(bits_of(end), bits);
        EXPECT_SAYS(end, size == 2 ? "texts ;x; " : "texts ;x;xx; ");
        EXPECT_SAYS(end, fmt::format("of {}\n", size));
      }
    }
  }
}

TEST(Ranks, RanksOfOneMachineDivideItsThreads) {
  if (std::getenv("OMP_NUM_THREADS")) GTEST_SKIP() << "OMP_NUM_THREADS is set";
  const int all = torch::get_num_threads();
  World world{2, 2, "sum"};
  world.threads = "";
  for (const RankEnd& end : run_world(world))
    EXPECT_SAYS(end, fmt::format("threads {} ", std::max(1, all / 2)));
  world.threads = std::to_string(all);
  for (const RankEnd& end : run_world(world)) EXPECT_SAYS(end, fmt::format("threads {} ", all));
}

TEST(Ranks, KilledRankEndsTheOthers) {
  const auto ends = run_world({3, 3, "killed"});
  EXPECT_EQ(ends[2].exit_status, 137);
  for (int rank : {0, 1}) {
    EXPECT_EQ(ends[rank].exit_status, 1);
    EXPECT_SAYS(ends[rank], fmt::format("error: rank {} lost a partner during step 3", rank));
  }
}

TEST(Ranks, WritingToAPartnerThatIsGoneIsAnErrorAndNotTheEnd) {
  for (const RankEnd& end : run_world({2, 2, "write-to-nobody"})) {
    EXPECT_EQ(end.exit_status, 0) << end.output;
    EXPECT_SAYS(end, "the write failed");
  }
}

TEST(Ranks, KilledFirstRankEndsTheOthers) {
  const auto ends = run_world({3, 3, "killed-first"});
  EXPECT_EQ(ends[0].exit_status, 137);
  for (int rank : {1, 2}) {
    EXPECT_EQ(ends[rank].exit_status, 1);
    EXPECT_SAYS(ends[rank], fmt::format("error: rank {} lost a partner during step 3: rank 0 is gone", rank));
  }
}

TEST(Ranks, FailureOfOneRankEndsTheOthersAndIsNamed) {
  const auto ends = run_world({2, 2, "thrown"});
  EXPECT_EQ(ends[1].exit_status, 1);
  EXPECT_SAYS(ends[1], "error: the loss is NaN");
  EXPECT_EQ(ends[0].exit_status, 1);
  EXPECT_SAYS(ends[0], "error: rank 0 lost a partner during step 3: rank 1 ended: the loss is NaN");
}

TEST(Ranks, StuckRankEndsTheOthersAfterTheTimeout) {
  World world{2, 2, "stuck"};
  world.timeout_ms = 2'000;
  const auto ends = run_world(world);
  EXPECT_EQ(ends[0].exit_status, 1);
  EXPECT_SAYS(ends[0], "error: rank 0 waited 2 s for a partner during step");
  EXPECT_EQ(ends[1].exit_status, 1);
  EXPECT_SAYS(ends[1], "error: rank 1 lost a partner during step");
}

TEST(Ranks, MissingRankIsNamedAfterTheTimeout) {
  World world{3, 2, "sum"};
  world.start_timeout_ms = 1'000;
  const auto ends = run_world(world);
  EXPECT_EQ(ends[0].exit_status, 1);
  EXPECT_SAYS(ends[0], " of 3 ranks arrived within 1 s; missing: ");
  EXPECT_EQ(ends[1].exit_status, 1);
}

TEST(Ranks, DifferentSettingsAreNamedOnEveryRank) {
  for (const RankEnd& end : run_world({3, 3, "settings"})) {
    EXPECT_EQ(end.exit_status, 2);
    EXPECT_SAYS(end, "wrong usage: settings: rank 1 has rates/1 = 2.0, rank 0 has rates/1 = 1.0");
  }
}

// Two or more ranks on the one GPU at hand, by NCCL.
World nccl_world(int size, std::string mode) {
  World world{size, size, std::move(mode)};
  world.as_machines = true;
  return world;
}

TEST(RanksGpu, RanksOnOneGpuExchangeThroughMainMemory) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  const std::string wanted = bits_of(run_world({2, 2, "sum"})[0]);
  const auto ends = run_world({2, 2, "sum-gpu"});
  EXPECT_SAYS(ends[0], "gradients travel through main memory");
  for (const RankEnd& end : ends) {
    EXPECT_EQ(end.exit_status, 0) << end.output;
    EXPECT_EQ(bits_of(end), wanted);
  }
}

TEST(RanksGpu, NcclSumsHaveTheSameBitsOnEveryRankAndInEveryRun) {
  if (!torch::cuda::is_available() || !has_nccl()) GTEST_SKIP() << "skipped: no GPU or no NCCL";
  for (const int size : {2, 3}) {
    std::string bits;
    for (int repetition = 0; repetition < 2; ++repetition) {
      for (const RankEnd& end : run_world(nccl_world(size, "sum-gpu"))) {
        ASSERT_EQ(end.exit_status, 0) << end.output;
        EXPECT_EQ(end.output.find("main memory"), std::string::npos) << end.output;
        if (bits.empty()) bits = bits_of(end);
        EXPECT_EQ(bits_of(end), bits);
      }
    }
  }
}

TEST(RanksGpu, KilledOrFailedRankEndsTheOthersOfNccl) {
  if (!torch::cuda::is_available() || !has_nccl()) GTEST_SKIP() << "skipped: no GPU or no NCCL";
  for (const char* mode : {"killed-gpu", "killed-first-gpu", "thrown-gpu"}) {
    const int failing = std::string(mode) == "killed-first-gpu" ? 0 : 1;
    const auto ends = run_world(nccl_world(2, mode));
    EXPECT_EQ(ends[1 - failing].exit_status, 1) << mode;
    // NCCL tells of it while the step before the failure may still be waited for.
    const std::string lost = fmt::format("error: rank {} lost a partner during step ", 1 - failing);
    const std::string& output = ends[1 - failing].output;
    EXPECT_TRUE(output.find(lost + "3") != output.npos || output.find(lost + "2") != output.npos) << output;
  }
}

TEST(RanksGpu, StuckRankEndsTheOthersOfNcclAfterTheTimeout) {
  if (!torch::cuda::is_available() || !has_nccl()) GTEST_SKIP() << "skipped: no GPU or no NCCL";
  World world = nccl_world(2, "stuck-gpu");
  world.timeout_ms = 5'000;
  const auto ends = run_world(world);
  EXPECT_EQ(ends[0].exit_status, 1);
  EXPECT_SAYS(ends[0], "error: rank 0 waited 5 s for a partner during step 3");
  EXPECT_EQ(ends[1].exit_status, 1);
}

}  // namespace
}  // namespace cuset::train
