#include "train/ranks/rank_environment.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::train {
namespace {

// "torchrun rank 1 of 4, local 1, at host:29400"
std::string dump(const Environment& environment) {
  const RankEnvironment found = read_rank_environment(environment);
  if (found.launcher.empty()) return "alone";
  std::string text = fmt::format("{} rank {} of {}", found.launcher, found.rank, found.size);
  if (found.local_rank) text += fmt::format(", local {}", *found.local_rank);
  if (found.size > 1) text += fmt::format(", at {}:{}", found.master_host, found.master_port);
  return text;
}

std::string refusal(const Environment& environment) {
  try {
    return "accepted: " + dump(environment);
  } catch (const base::UsageError& error) {
    return error.what();
  }
}

Environment torchrun_with(std::string name, std::string value) {
  Environment environment{{"RANK", "1"},
                          {"WORLD_SIZE", "4"},
                          {"LOCAL_RANK", "1"},
                          {"MASTER_ADDR", "host"},
                          {"MASTER_PORT", "29400"}};
  environment[std::move(name)] = std::move(value);
  return environment;
}

TEST(RankEnvironment, NothingSetIsOneRankAlone) {
  EXPECT_EQ(dump({}), "alone");
  EXPECT_EQ(dump({{"MASTER_ADDR", "host"}, {"LOCAL_RANK", "0"}}), "alone");
}

TEST(RankEnvironment, Torchrun) {
  EXPECT_EQ(dump(torchrun_with("OMP_NUM_THREADS", "1")), "torchrun rank 1 of 4, local 1, at host:29400");
  EXPECT_EQ(dump({{"RANK", "0"}, {"WORLD_SIZE", "1"}}), "torchrun rank 0 of 1");
}

TEST(RankEnvironment, TorchrunsOwnProcessMayListen) {
  EXPECT_FALSE(read_rank_environment(torchrun_with("A", "B")).launcher_listens);
  Environment environment = torchrun_with("TORCHELASTIC_USE_AGENT_STORE", "True");
  environment["TORCHELASTIC_RESTART_COUNT"] = "3";
  EXPECT_TRUE(read_rank_environment(environment).launcher_listens);
  EXPECT_EQ(read_rank_environment(environment).attempt, "3");
}

TEST(RankEnvironment, Mpirun) {
  EXPECT_EQ(dump({{"OMPI_COMM_WORLD_RANK", "2"},
                  {"OMPI_COMM_WORLD_SIZE", "3"},
                  {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}}),
            "mpirun rank 2 of 3, local 2, at 127.0.0.1:29500");
  EXPECT_EQ(dump({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "0"}, {"MASTER_PORT", "81"}}),
            "mpirun rank 0 of 2, local 0, at 127.0.0.1:81");
}

TEST(RankEnvironment, MpirunInsideSlurmTakesTheRankFromMpirunAndTheHostFromSlurm) {
  EXPECT_EQ(dump({{"PMI_RANK", "5"},
                  {"PMI_SIZE", "8"},
                  {"SLURM_STEP_ID", "0"},
                  {"SLURM_PROCID", "1"},
                  {"SLURM_NTASKS", "2"},
                  {"SLURM_JOB_NODELIST", "n[07-08]"},
                  {"MASTER_PORT", "400"}}),
            "mpirun rank 5 of 8, at n07:400");
}

TEST(RankEnvironment, Srun) {
  Environment environment{{"SLURM_STEP_ID", "0"},     {"SLURM_PROCID", "6"},
                          {"SLURM_NTASKS", "8"},      {"SLURM_LOCALID", "2"},
                          {"MASTER_PORT", "300"},     {"SLURM_STEP_NODELIST", "gpu[003-004]"},
                          {"SLURM_JOB_ID", "123456"}, {"SLURM_JOB_NODELIST", "gpu[001-004]"}};
  EXPECT_EQ(dump(environment), "srun rank 6 of 8, local 2, at gpu003:300");
  environment["SLURM_STEP_NUM_TASKS"] = "7";
  EXPECT_EQ(dump(environment), "srun rank 6 of 7, local 2, at gpu003:300");
}

TEST(RankEnvironment, PortComesFromTheJobAndStep) {
  Environment environment{{"SLURM_STEP_ID", "0"},
                          {"SLURM_PROCID", "0"},
                          {"SLURM_NTASKS", "2"},
                          {"SLURM_JOB_ID", "123456"},
                          {"SLURM_JOB_NODELIST", "a"}};
  const int first = read_rank_environment(environment).master_port;
  environment["SLURM_PROCID"] = "1";
  EXPECT_EQ(read_rank_environment(environment).master_port, first);
  EXPECT_GE(first, 20000);
  EXPECT_LT(first, 32000);
  environment["SLURM_STEP_ID"] = "1";
  EXPECT_NE(read_rank_environment(environment).master_port, first);
}

TEST(RankEnvironment, BatchShellAndInteractiveStepRunAlone) {
  const Environment batch{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "5"}};
  EXPECT_EQ(dump(batch), "alone");
  Environment interactive = batch;
  interactive["SLURM_STEP_ID"] = "4294967290";
  EXPECT_EQ(dump(interactive), "alone");
}

TEST(RankEnvironment, RefusesMalformedValuesByName) {
  EXPECT_EQ(refusal(torchrun_with("RANK", "one")), "RANK=\"one\": must be an integer from 0 to 1048576");
  EXPECT_EQ(refusal(torchrun_with("RANK", "4")), "RANK=4 does not fit WORLD_SIZE=4: ranks count from 0");
  EXPECT_EQ(refusal(torchrun_with("RANK", "-1")), "RANK=\"-1\": must be an integer from 0 to 1048576");
  EXPECT_EQ(refusal(torchrun_with("WORLD_SIZE", "4 ")),
            "WORLD_SIZE=\"4 \": must be an integer from 1 to 1048576");
  EXPECT_EQ(refusal(torchrun_with("WORLD_SIZE", "")), "WORLD_SIZE is not set although RANK is");
  EXPECT_EQ(refusal(torchrun_with("RANK", "")), "RANK is not set although WORLD_SIZE is");
  EXPECT_EQ(refusal(torchrun_with("LOCAL_RANK", "7")),
            "LOCAL_RANK=7 does not fit WORLD_SIZE=4: ranks count from 0");
  EXPECT_EQ(refusal(torchrun_with("MASTER_ADDR", "")), "MASTER_ADDR is not set although WORLD_SIZE is");
  EXPECT_EQ(refusal(torchrun_with("MASTER_PORT", "99999")),
            "MASTER_PORT=\"99999\": must be an integer from 1 to 65535");
  EXPECT_EQ(refusal({{"OMPI_COMM_WORLD_RANK", "0"},
                     {"OMPI_COMM_WORLD_SIZE", "4"},
                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
            "MASTER_ADDR is not set, and OMPI_COMM_WORLD_LOCAL_SIZE=\"2\" of OMPI_COMM_WORLD_SIZE=4: several "
            "machines take part");
}

TEST(FirstHost, ExpandsSlurmLists) {
  const std::pair<const char*, const char*> table[] = {
      {"node", "node"},
      {"node1,node2", "node1"},
      {"node[003-007,9]", "node003"},
      {"node[9,003-007]", "node9"},
      {"gpu[12]", "gpu12"},
      {"rack[1-2]n[01-02],x", "rack1n01"},
      {"a-b.c[0-1].net", "a-b.c0.net"},
      {"n[007-999999999999999999]", "n007"},
  };
  for (const auto& [list, host] : table) EXPECT_EQ(first_host(list, "NODES"), host) << list;
}

TEST(FirstHost, RefusesWhatIsNoList) {
  for (const char* list : {"", ",a", "n[", "n[]", "n[1", "n]1", "n[a-b]", "n[-1]", "n[1x]", "a b", "n[1[2]]"})
    EXPECT_THROW(first_host(list, "NODES"), base::UsageError) << list;
}

}  // namespace
}  // namespace cuset::train
