// cuset train --stage grpo as a user runs it: the built-in model answers tasks of the gym, answers are compiled, run
// and judged, and the adapter learns from the verdicts; killed and resumed.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "base/net/http_client.h"
#include "e2e/program.h"
#include "e2e/started_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "assets/model";
constexpr size_t kAnswers = 8;  // of a step

std::vector<base::Json> rows_of(const fs::path& path) {
  std::vector<base::Json> rows;
  base::JsonlReader reader(path, {.torn_line = base::TornLine::kIgnore});
  while (std::optional<base::Json> row = reader.next()) rows.push_back(std::move(*row));
  return rows;
}

// Without what takes another time in every run.
std::string lasting_text(base::Json row) {
  if (row.contains("verdict")) {
    for (const char* key : {"seconds", "build_seconds", "step_seconds", "trials"}) row["verdict"].erase(key);
  }
  for (const char* key :
       {"sampling_seconds", "judging_wait_seconds", "judging_seconds", "updating_seconds", "critic_seconds"})
    row.erase(key);
  return base::to_json_line(row);
}

std::vector<std::string> lasting_rows(const fs::path& path) {
  std::vector<std::string> texts;
  for (const base::Json& row : rows_of(path)) texts.push_back(lasting_text(row));
  return texts;
}

class ReinforceCommandLine : public testing::Test {
 protected:
  void SetUp() override {
    const std::string lack = lack_of_cpu_executor();
    if (!lack.empty()) GTEST_SKIP() << lack;
    const sandbox::ProcessResult made =
        run_cuset({"gym", "tasks", "--output", tasks(), "--count", "6", "--families", "saxpy,clamp"});
    ASSERT_EQ(made.exit_status, 0) << made.output;
  }

  std::string tasks() const { return (folder_ / "tasks.jsonl").string(); }
  fs::path run(const std::string& name) const { return folder_ / name; }

  // A flag of `more` stands in place of the same flag here.
  std::vector<std::string> arguments(const fs::path& run, const std::vector<std::string>& more = {}) const {
    const std::pair<std::string, std::string> flags[] = {
        {"--stage", "grpo"},         {"--model", kModel},       {"--tasks", tasks()},
        {"--output", run.string()},  {"--max-steps", "2"},      {"--prompts-per-step", "2"},
        {"--num-generations", "4"},  {"--temperature", "1"},    {"--max-completion-length", "512"},
        {"--learning-rate", "1e-3"}, {"--threads", "1"},        {"--trials", "1"},
        {"--save-steps", "1"},       {"--beta", "0.02"},        {"--num-iterations", "2"},
        {"--executor", "cpu"},       {"--resample-rounds", "0"}};
    std::vector<std::string> all = {"train"};
    for (const auto& [flag, value] : flags) {
      if (std::ranges::find(more, flag) == more.end()) all.insert(all.end(), {flag, value});
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // Kills the run once unsaved_rollouts.jsonl has so many lines.
  void kill_at(const fs::path& run, size_t lines, int signal, const std::vector<std::string>& more) const {
    StartedProgram program(arguments(run, more), folder_ / "killed.txt");
    const fs::path file = run / "unsaved_rollouts.jsonl";
    ASSERT_TRUE(program.wait_for(file)) << program.output();
    while (program.is_running() && rows_of(file).size() < lines) usleep(20'000);
    ASSERT_TRUE(program.is_running()) << program.output();
    program.signal(signal);
    EXPECT_EQ(program.wait(), 128 + signal) << program.output();
  }

  base::TemporaryFolder folder_;
};

TEST_F(ReinforceCommandLine, LearnsFromVerdictsAndEndsWithTheSameBytesWhenKilled) {
  const sandbox::ProcessResult whole = run_cuset(arguments(run("whole")));
  ASSERT_EQ(whole.exit_status, 0) << whole.output;

  const std::vector<base::Json> rollouts = rows_of(run("whole") / "rollouts.jsonl");
  ASSERT_EQ(rollouts.size(), 2 * kAnswers);
  bool has_reward = false;
  for (const base::Json& row : rollouts) {
    const bool is_correct = row.at("verdict").at("word") == "correct";
    EXPECT_EQ(row.at("reward").contains("correct"), is_correct);
    EXPECT_FALSE(row.at("text").get<std::string>().empty());
    has_reward |= row.at("reward").at("value").get<double>() > 0;
  }
  EXPECT_TRUE(has_reward);
  const std::vector<base::Json> metrics = rows_of(run("whole") / "metrics.jsonl");
  ASSERT_EQ(metrics.size(), 2u);
  for (const char* key :
       {"reward", "reward_std", "frac_reward_zero_std", "completions/mean_length", "pass_rate"})
    EXPECT_TRUE(metrics[0].contains(key)) << key;
  ASSERT_TRUE(metrics[0].contains("kl")) << "the first step has groups with spread";
  EXPECT_GT(metrics[0]["kl"], 0) << "after the first of its two updates";
  EXPECT_EQ(metrics[0]["sampling/sampling_logp_difference/max"], 0) << "to the bit";
  EXPECT_EQ(metrics[0]["policy_ratio/first_update"], 1) << "to the bit";
  EXPECT_NE(metrics[0]["policy_ratio/mean"], 1) << "in its second update";
  EXPECT_NE(base::read_file(run("whole") / "checkpoint-1" / "adapter_model.safetensors"),
            base::read_file(run("whole") / "checkpoint-2" / "adapter_model.safetensors"));

  // While answers are sampled, while they are judged, and asked politely in the second step.
  kill_at(run("killed"), 1, SIGKILL, {});
  kill_at(run("killed"), kAnswers + 2, SIGKILL, {"--resume"});
  const std::vector<base::Json> before = rows_of(run("killed") / "unsaved_rollouts.jsonl");
  kill_at(run("killed"), kAnswers + 4, SIGTERM, {"--resume"});
  const sandbox::ProcessResult rest = run_cuset(arguments(run("killed"), {"--resume"}));
  ASSERT_EQ(rest.exit_status, 0) << rest.output;
  EXPECT_EQ(base::read_file(run("killed") / "adapter_model.safetensors"),
            base::read_file(run("whole") / "adapter_model.safetensors"));
  EXPECT_EQ(lasting_rows(run("killed") / "rollouts.jsonl"), lasting_rows(run("whole") / "rollouts.jsonl"));
  EXPECT_EQ(lasting_rows(run("killed") / "metrics.jsonl"), lasting_rows(run("whole") / "metrics.jsonl"));
  EXPECT_GT(before.size(), kAnswers) << "what the killed run had";
}

// Each turn of a conversation is a sample of its own, credited with what comes after it.
void expect_turns(const std::vector<base::Json>& rollouts) {
  std::map<std::pair<int, int>, std::vector<base::Json>> conversations;  // by draw and sample
  for (const base::Json& row : rollouts) conversations[{row.at("draw"), row.at("sample")}].push_back(row);
  EXPECT_EQ(conversations.size(), kAnswers);
  size_t second_turns = 0;
  for (const auto& [place, turns] : conversations) {
    ASSERT_LE(turns.size(), 2u);
    const auto reward = [&](size_t turn) { return turns[turn].at("reward").at("value").get<double>(); };
    EXPECT_EQ(turns[0].at("turn"), 1);
    EXPECT_EQ(turns.size() == 1, turns[0].at("verdict").at("word") == "correct");
    EXPECT_EQ(turns[0].contains("feedback"), turns.size() == 2);
    EXPECT_FALSE(turns.back().contains("feedback") && turns.size() == 2) << "nobody answers it";
    if (turns.size() == 1) continue;
    ++second_turns;
    EXPECT_EQ(turns[1].at("turn"), 2);
    EXPECT_DOUBLE_EQ(turns[0].at("return"), reward(0) + 0.5 * reward(1));
    EXPECT_DOUBLE_EQ(turns[1].at("return"), reward(1));
    EXPECT_GT(turns[1].at("prompt_tokens"), turns[0].at("prompt_tokens")) << "answer and feedback are in it";
  }
  EXPECT_GT(second_turns, 0u);
}

TEST_F(ReinforceCommandLine, TurnsAndACriticEndWithTheSameBytesWhenKilled) {
  const auto more = [&](const std::string& calls, std::vector<std::string> further = {}) {
    // Scores by a checksum of the question; one in ten fails.
    const std::string critic =
        "n=$(cksum | cut -c1); echo $n >> " + calls +
        "; test $n != 9 && echo '{\"correctness\": 0.'$n', \"compilability\": 1, \"speed\": 0}'";
    std::vector<std::string> all = {"--turns",
                                    "2",
                                    "--turn-discount",
                                    "0.5",
                                    "--prompts-per-step",
                                    "1",
                                    "--num-iterations",
                                    "1",
                                    "--max-completion-length",
                                    "400",
                                    "--leave-one-out",
                                    "--critic-retries",
                                    "0",
                                    "--critic-command",
                                    critic};
    all.insert(all.end(), further.begin(), further.end());
    return all;
  };
  const std::string calls = (folder_ / "calls").string();
  const sandbox::ProcessResult whole = run_cuset(arguments(run("whole"), more(calls)));
  ASSERT_EQ(whole.exit_status, 0) << whole.output;
  const std::vector<base::Json> rollouts = rows_of(run("whole") / "rollouts.jsonl");
  expect_turns(rollouts);
  const std::vector<base::Json> opinions = rows_of(run("whole") / "critic.jsonl");
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(base::read_file(calls), '\n')), opinions.size());
  const std::vector<base::Json> metrics = rows_of(run("whole") / "metrics.jsonl");
  ASSERT_EQ(metrics.size(), 2u);
  for (const char* key : {"turns/1/pass_rate", "turns/2/pass_rate", "turns/2/answers", "critic/score_mean",
                          "critic/failures", "critic/cache_hits", "rewards/critic/mean"})
    EXPECT_TRUE(metrics[0].contains(key)) << key;
  EXPECT_GE(metrics[0]["turns/2/pass_rate"], metrics[0]["turns/1/pass_rate"]);
  EXPECT_EQ(metrics[0]["sampling/sampling_logp_difference/max"], 0)
      << "prompts are those it was sampled from";

  // In the first turn's answers, and behind them.
  kill_at(run("killed"), 2, SIGKILL, more(calls));
  kill_at(run("killed"), kAnswers + 1, SIGKILL, more(calls, {"--resume"}));
  base::write_file_atomic(calls, "");
  const sandbox::ProcessResult rest = run_cuset(arguments(run("killed"), more(calls, {"--resume"})));
  ASSERT_EQ(rest.exit_status, 0) << rest.output;
  EXPECT_EQ(base::read_file(run("killed") / "adapter_model.safetensors"),
            base::read_file(run("whole") / "adapter_model.safetensors"));
  EXPECT_EQ(lasting_rows(run("killed") / "rollouts.jsonl"), lasting_rows(run("whole") / "rollouts.jsonl"));
  EXPECT_EQ(lasting_rows(run("killed") / "metrics.jsonl"), lasting_rows(run("whole") / "metrics.jsonl"));
  EXPECT_LE(static_cast<size_t>(std::ranges::count(base::read_file(calls), '\n')), opinions.size());
}

TEST_F(ReinforceCommandLine, BadInputIsRefusedInOneLine) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& message) {
    const sandbox::ProcessResult result = run_cuset(arguments(run("refused"), more));
    EXPECT_EQ(result.exit_status, 2) << result.output;
    EXPECT_TRUE(has(result.output, message)) << result.output;
    EXPECT_FALSE(fs::exists(run("refused"))) << "nothing was begun";
  };
  refused({"--loss-type", "gpro"}, "loss-type: \"gpro\" is not one of grpo");
  refused({"--set", "num_generation=4"}, "did you mean 'num_generations'?");
  refused({"--objective", "sft"}, "objective is not a key of stage: grpo");
  refused({"--turns", "0"}, "num_turns is 0, but must be at least 1");
  refused({"--critic", "endpoint"}, "critic: endpoint needs critic_url");
  refused({"--finetuning-type", "full"}, "stage: grpo needs finetuning_type: lora");
  const sandbox::ProcessResult sft = run_cuset({"train", "--model", kModel, "--data", tasks(), "--output",
                                                run("sft").string(), "--num-generations", "4"});
  EXPECT_EQ(sft.exit_status, 2);
  EXPECT_TRUE(has(sft.output, "num_generations is a key of stage: grpo")) << sft.output;
}

TEST_F(ReinforceCommandLine, ACriticWithoutItsKeyIsRefusedBeforeTheRun) {
  if (!base::HttpClient::is_available()) GTEST_SKIP() << "skipped: built without libcurl";
  const sandbox::ProcessResult keyless =
      run_cuset(arguments(run("refused"), {"--critic-url", "http://127.0.0.1:9/v1", "--critic-model", "m",
                                           "--critic-key", "CUSET_TEST_NO_SUCH_KEY"}));
  EXPECT_EQ(keyless.exit_status, 1);
  EXPECT_TRUE(has(keyless.output, "the environment variable CUSET_TEST_NO_SUCH_KEY is not set"))
      << keyless.output;
  EXPECT_FALSE(fs::exists(run("refused")));
}

}  // namespace
}  // namespace cuset::tests
