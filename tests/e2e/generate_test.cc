// cuset generate, evaluate and chat as a user runs them, on a small random model and an adapter.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "base/json/jsonl.h"
#include "e2e/program.h"
#include "e2e/small_model.h"
#include "e2e/started_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTasks = "examples/verify/tasks.jsonl";

// Without what differs from run to run.
std::vector<base::Json> lines_of(const fs::path& file) {
  std::vector<base::Json> lines;
  base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
  while (std::optional<base::Json> line = reader.next()) {
    line->erase("seconds");
    lines.push_back(std::move(*line));
  }
  return lines;
}

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Generate : public testing::Test {
 protected:
  static void SetUpTestSuite() { small_ = std::make_unique<SmallModel>(); }
  static void TearDownTestSuite() { small_.reset(); }

  static std::string model() { return small_->model(); }
  static std::string adapter() { return small_->adapter(); }
  std::string place(const std::string& name) const { return (folder_ / name).string(); }

  // Flags that are not among `more` have usual values.
  std::vector<std::string> command(const std::string& output,
                                   const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"generate", "--model",     model(),     "--tasks", kTasks,
                                      "--output", place(output), "--threads", "1"};
    for (const auto& [flag, value] : {std::pair{"--max-new-tokens", "20"}, std::pair{"--temperature", "1"}}) {
      if (std::find(more.begin(), more.end(), flag) == more.end()) words = joined(words, {flag, value});
    }
    return joined(words, more);
  }
  sandbox::ProcessResult generate(const std::string& output,
                                  const std::vector<std::string>& more = {}) const {
    return run_cuset(command(output, more));
  }

  static std::unique_ptr<SmallModel> small_;
  base::TemporaryFolder folder_;
};

std::unique_ptr<SmallModel> Generate::small_;

TEST_F(Generate, AnswersWithAllThatIsKnownInTheOrderOfTheTasks) {
  const sandbox::ProcessResult result = generate("out", {"--samples", "3", "--batch-size", "4"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const std::vector<base::Json> lines = lines_of(folder_ / "out/answers.jsonl");
  ASSERT_EQ(lines.size(), 9u);
  const std::vector<std::string> tasks = {"saxpy_4k", "histogram_16", "row_sums_64"};
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["task"], tasks[i / 3]);
    EXPECT_EQ(lines[i]["sample"], i % 3);
    EXPECT_GT(lines[i]["tokens"], 0);
    EXPECT_GT(lines[i]["prompt_tokens"], 10);
    EXPECT_GT(lines[i]["confidence"], 0);
    EXPECT_LE(lines[i]["lowest_window"], lines[i]["confidence"]);
    EXPECT_EQ(lines[i]["seed"], 42);
    EXPECT_FALSE(lines[i].contains("adapter"));
  }
  EXPECT_NE(lines[0]["text"], lines[1]["text"]);
  EXPECT_TRUE(has(result.output, "answers: " + place("out/answers.jsonl"))) << result.output;
  EXPECT_TRUE(has(result.output, "tokens/s")) << result.output;
  EXPECT_EQ(base::read_json_file(folder_ / "out/generation.json")["temperature"], 1.0);
}

// On a GPU another batch size makes products of another shape, whose last bits differ (docs/generate.md).
TEST_F(Generate, BatchSizeAndNumberOfSamplesChangeNoAnswerOnTheCpu) {
  const auto on_cpu = [&](const std::string& output, const char* samples, const char* batch) {
    return generate(output, {"--device", "cpu", "--samples", samples, "--batch-size", batch});
  };
  ASSERT_EQ(on_cpu("a", "4", "12").exit_status, 0);
  ASSERT_EQ(on_cpu("b", "2", "1").exit_status, 0);
  const sandbox::ProcessResult more = on_cpu("b", "4", "5");
  ASSERT_EQ(more.exit_status, 0);
  EXPECT_TRUE(has(more.output, "6 of 12 answers exist already")) << more.output;
  EXPECT_EQ(lines_of(folder_ / "a/answers.jsonl"), lines_of(folder_ / "b/answers.jsonl"));
}

TEST_F(Generate, KilledItGoesOnWithoutDoublingOrLosing) {
  const std::vector<std::string> many = {"--samples", "40", "--batch-size", "3"};
  ASSERT_EQ(generate("whole", many).exit_status, 0);
  for (int kill = 0; kill < 3; ++kill) {
    StartedProgram program(command("killed", many), folder_ / "log");
    ASSERT_TRUE(program.wait_for(folder_ / "killed/answers.jsonl")) << program.output();
    program.signal(SIGKILL);
    program.wait();
  }
  const size_t before = lines_of(folder_ / "killed/answers.jsonl").size();
  EXPECT_GE(before, 1u);
  {
    const base::FileDescriptor file = base::open_file(folder_ / "killed/answers.jsonl", O_WRONLY | O_APPEND);
    ASSERT_EQ(write(file.get(), "{\"task\": \"torn", 14), 14);
  }
  const sandbox::ProcessResult result = generate("killed", many);
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "removed a torn last line")) << result.output;
  EXPECT_EQ(lines_of(folder_ / "killed/answers.jsonl"), lines_of(folder_ / "whole/answers.jsonl"));
  const std::string all = base::read_file(folder_ / "killed/answers.jsonl");
  EXPECT_EQ(generate("killed", many).exit_status, 0);
  EXPECT_EQ(base::read_file(folder_ / "killed/answers.jsonl"), all) << "nothing was left to do";
}

TEST_F(Generate, InterruptedItEndsInOrder) {
  StartedProgram program(command("out", {"--samples", "4000", "--batch-size", "2"}), folder_ / "log");
  ASSERT_TRUE(program.wait_for(folder_ / "out/answers.jsonl")) << program.output();
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 130) << program.output();
  EXPECT_TRUE(has(program.output(), "interrupted: the same command resumes later")) << program.output();
}

TEST_F(Generate, OtherSettingsDoNotMixWithOldAnswers) {
  ASSERT_EQ(generate("out").exit_status, 0);
  for (const auto& [flags, word] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--seed", "7"}, "seed"},
           {{"--temperature", "0.5"}, "temperature"},
           {{"--level", "2"}, "level"},
           {{"--adapter", adapter()}, "adapter_hash"},
           {{"--stop", "x"}, "stop"}}) {
    const sandbox::ProcessResult other = generate("out", flags);
    EXPECT_EQ(other.exit_status, 1) << other.output;
    EXPECT_TRUE(has(other.output, "holds answers of another run: " + word + " is ")) << other.output;
  }
}

TEST_F(Generate, AdaptersSideBySideEqualEachAlone) {
  ASSERT_EQ(generate("both", {"--adapter", adapter(), "--base"}).exit_status, 0);
  ASSERT_EQ(generate("base").exit_status, 0);
  ASSERT_EQ(generate("alone", {"--adapter", adapter()}).exit_status, 0);
  EXPECT_EQ(lines_of(folder_ / "both/base/answers.jsonl"), lines_of(folder_ / "base/answers.jsonl"));
  EXPECT_EQ(lines_of(folder_ / "both/adapter/answers.jsonl"), lines_of(folder_ / "alone/answers.jsonl"));
  const base::Json first = lines_of(folder_ / "alone/answers.jsonl")[0];
  EXPECT_EQ(first["adapter"], adapter());
  EXPECT_NE(first["text"], lines_of(folder_ / "base/answers.jsonl")[0]["text"]);
}

TEST_F(Generate, LevelsTasksAndStops) {
  ASSERT_EQ(generate("levels", {"--level", "all", "--only", "saxpy_4k"}).exit_status, 0);
  EXPECT_EQ(lines_of(folder_ / "levels/base-level1/answers.jsonl").size(), 1u);
  EXPECT_EQ(lines_of(folder_ / "levels/base-level2/answers.jsonl")[0]["level"], "2");
  ASSERT_EQ(generate("file.jsonl", {"--limit", "2", "--temperature", "0"}).exit_status, 0);
  const std::vector<base::Json> two = lines_of(folder_ / "file.jsonl");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(fs::exists(folder_ / "file.generation.json"));
}

TEST_F(Generate, StopStringsCutTheAnswer) {
  ASSERT_EQ(generate("whole", {"--samples", "8"}).exit_status, 0);
  base::Json longest = {{"text", ""}};
  for (const base::Json& line : lines_of(folder_ / "whole/answers.jsonl")) {
    if (line["text"].get<std::string>().size() > longest["text"].get<std::string>().size()) longest = line;
  }
  const std::string text = longest["text"];
  const size_t begin = text.find_first_of("abcdefghijklmnopqrstuvwxyz(){};", 1);
  ASSERT_NE(begin, std::string::npos) << text;
  ASSERT_EQ(generate("cut", {"--samples", "8", "--stop", text.substr(begin, 1)}).exit_status, 0);
  for (const base::Json& line : lines_of(folder_ / "cut/answers.jsonl")) {
    if (line["task"] != longest["task"] || line["sample"] != longest["sample"]) continue;
    EXPECT_EQ(line["text"], text.substr(0, text.find(text[begin])));
    EXPECT_EQ(line["finish"], "stop_string");
  }
}

TEST_F(Generate, PlainPromptsOfEveryForm) {
  base::write_file_atomic(folder_ / "prompts.jsonl",
                          "{\"prompt\": \"one\"}\n{\"id\": \"second\", \"messages\": [{\"role\": \"user\", "
                          "\"content\": \"two\"}]}\n{\"instruction\": \"three\"}\n");
  const sandbox::ProcessResult result =
      run_cuset({"generate", "--model", model(), "--prompts", place("prompts.jsonl"), "--output",
                 place("out.jsonl"), "--max-new-tokens", "5", "--threads", "1"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const std::vector<base::Json> lines = lines_of(folder_ / "out.jsonl");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["task"], "1");
  EXPECT_EQ(lines[1]["task"], "second");
  EXPECT_EQ(lines[2]["task"], "3");
}

TEST_F(Generate, MistakesAreOneLineWithAWayOut) {
  const auto verdict = [&](const std::vector<std::string>& flags) {
    const sandbox::ProcessResult result = generate("out", joined({"--quiet"}, flags));
    EXPECT_EQ(result.exit_status, 2) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    return result.output;
  };
  EXPECT_TRUE(has(verdict({"--samples", "2", "--temperature", "0"}), "all answers would be the same"));
  EXPECT_TRUE(has(verdict({"--top-p", "1.5"}), "top_p is 1.5, but must be above 0"));
  EXPECT_TRUE(has(verdict({"--only", "saxpy"}), "unknown task \"saxpy\""));
  EXPECT_TRUE(has(verdict({"--level", "7"}), "no prompt has the level \"7\" (there are: 1, 2)"));
  EXPECT_TRUE(has(verdict({"--adapter", place("nowhere")}), "there is no folder"));
  EXPECT_TRUE(has(verdict({"--prompts", "p.jsonl"}), "exclude each other"));
  EXPECT_TRUE(has(verdict({"--max-new-tokens", "0"}), "max_new_tokens is 0"));
  EXPECT_FALSE(fs::exists(folder_ / "out")) << "nothing was begun";
}

class Evaluate : public Generate {
 protected:
  void SetUp() override {
    if (const std::string lack = lack_of_cpu_executor(); !lack.empty()) GTEST_SKIP() << lack;
  }

  sandbox::ProcessResult evaluate(const std::vector<std::string>& more = {}) const {
    return run_cuset(
        joined({"evaluate", "--model", model(), "--tasks", kTasks, "--output", place("run"), "--threads", "1",
                "--max-new-tokens", "10", "--executor", "cpu", "--trials", "2"},
               more));
  }
};

TEST_F(Evaluate, OneModelHasTheTableOfVerify) {
  const sandbox::ProcessResult result = evaluate();
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "3 answers to 3 tasks\n")) << result.output;
  EXPECT_TRUE(has(result.output, "results: " + place("run") + "\n")) << result.output;
  for (const char* name :
       {"answers.jsonl", "generation.json", "run.json", "verdicts.jsonl", "summary.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / "run" / name)) << name;
  }
  EXPECT_EQ(base::read_json_file(folder_ / "run/summary.json")["answers"], 3);
  const std::string verdicts = base::read_file(folder_ / "run/verdicts.jsonl");
  EXPECT_EQ(evaluate().exit_status, 0);
  EXPECT_EQ(base::read_file(folder_ / "run/verdicts.jsonl"), verdicts) << "nothing was left to do";
}

TEST_F(Evaluate, AdaptersAreRowsBesideTheBase) {
  const sandbox::ProcessResult result = evaluate({"--adapter", adapter()});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "function pass@1")) << result.output;
  EXPECT_TRUE(has(result.output, "\nbase           3 ")) << result.output;
  EXPECT_TRUE(has(result.output, "\nadapter        3 ")) << result.output;
  EXPECT_TRUE(has(result.output, "adapter against base: +0.0 points")) << result.output;
  EXPECT_TRUE(fs::exists(folder_ / "run/adapter/summary.json"));
}

// Conversations of the built-in model with the judge.
class Turns : public Evaluate {
 protected:
  void SetUp() override {
    Evaluate::SetUp();
    if (IsSkipped()) return;
    const sandbox::ProcessResult made =
        run_cuset({"gym", "tasks", "--output", place("tasks.jsonl"), "--count", "3", "--split", "held_out",
                   "--seed", "5", "--families", "clamp,gelu,saxpy"});
    ASSERT_EQ(made.exit_status, 0) << made.output;
  }

  // Flags that are not among `more` have usual values.
  std::vector<std::string> converse(const std::string& output,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"evaluate",
                                      "--model",
                                      "assets/model",
                                      "--tasks",
                                      place("tasks.jsonl"),
                                      "--output",
                                      place(output),
                                      "--seed",
                                      "1",
                                      "--judge-seed",
                                      "3",
                                      "--executor",
                                      "cpu",
                                      "--trials",
                                      "2",
                                      "--temperature",
                                      "0.8"};
    for (const auto& [flag, value] : {std::pair{"--turns", "2"}, std::pair{"--max-new-tokens", "450"}}) {
      if (std::find(more.begin(), more.end(), flag) == more.end()) words = joined(words, {flag, value});
    }
    return joined(words, more);
  }
  std::string stored(const std::string& run, const std::string& name) const {
    return base::read_file(folder_ / run / "turns" / name);
  }
};

TEST_F(Turns, WhatIsWrongGoesBackUntilAnAnswerIsCorrect) {
  const sandbox::ProcessResult result = run_cuset(converse("run"));
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "\nafter turn  answers ")) << result.output;
  EXPECT_TRUE(has(result.output, "\nturn 2 against turn 1: ")) << result.output;
  const std::vector<base::Json> conversations = lines_of(folder_ / "run/turns/conversations.jsonl");
  ASSERT_EQ(conversations.size(), 3u);
  size_t second = 0;
  for (const base::Json& conversation : conversations) {
    const base::Json& turns = conversation["turns"];
    const bool is_correct_at_once = turns[0]["word"] == "correct";
    ASSERT_EQ(turns.size(), is_correct_at_once ? 1u : 2u) << conversation.dump(2);
    EXPECT_EQ(conversation["word"], turns.back()["word"]);
    EXPECT_EQ(conversation["end"], turns.back()["word"] == "correct" ? "correct" : "turns");
    EXPECT_FALSE(turns.back().contains("feedback"));
    if (is_correct_at_once) continue;
    ++second;
    EXPECT_FALSE(turns[0]["feedback"].get<std::string>().empty());
    EXPECT_GT(turns[1]["prompt_tokens"].get<int>(),
              turns[0]["prompt_tokens"].get<int>() + turns[0]["tokens"].get<int>());
    EXPECT_EQ(conversation["tokens"], turns[0]["tokens"].get<int>() + turns[1]["tokens"].get<int>());
  }
  EXPECT_GT(second, 0u) << "no answer was wrong: choose another seed";
  EXPECT_LT(second, 3u) << "no answer was correct: choose another seed";
  const base::Json rates = base::read_json_file(folder_ / "run/turns/rates.json");
  EXPECT_EQ(rates["turns"][0]["answers"], 3);
  EXPECT_EQ(rates["turns"][1]["answers"], second);
  EXPECT_EQ(base::read_json_file(folder_ / "run/turns/2/run.json")["seed"], 4) << "fresh inputs";

  const base::Json again = base::parse_json(run_cuset(converse("run", {"--json", "--quiet"})).output, "json");
  EXPECT_EQ(again["base"]["turns"], rates["turns"]) << "nothing was left to do";
}

TEST_F(Turns, KilledTheyGoOnToTheSameBytes) {
  const sandbox::ProcessResult whole = run_cuset(converse("whole"));
  ASSERT_EQ(whole.exit_status, 0) << whole.output;
  for (const char* file :
       {"answers.jsonl", "verdicts.jsonl", "turns/2/answers.jsonl", "turns/2/verdicts.jsonl"}) {
    StartedProgram program(converse("killed"), folder_ / "log");
    ASSERT_TRUE(program.wait_for(folder_ / "killed" / file)) << file << "\n" << program.output();
    program.signal(SIGKILL);
    program.wait();
  }
  const std::string judged = base::read_file(folder_ / "killed/verdicts.jsonl");
  const sandbox::ProcessResult result = run_cuset(converse("killed"));
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_EQ(stored("killed", "conversations.jsonl"), stored("whole", "conversations.jsonl"));
  EXPECT_EQ(stored("killed", "rates.json"), stored("whole", "rates.json"));
  EXPECT_EQ(base::read_file(folder_ / "killed/verdicts.jsonl"), judged) << "nothing was judged twice";
  EXPECT_EQ(lines_of(folder_ / "killed/turns/2/verdicts.jsonl").size(),
            lines_of(folder_ / "killed/turns/2/answers.jsonl").size());
}

TEST_F(Turns, WhatCannotBeIsRefused) {
  const auto output = [](const std::vector<std::string>& words) { return run_cuset(words).output; };
  EXPECT_TRUE(has(output(converse("run", {"--turns", "0"})), "turns is 0, but must be in 1 to 100"));
  EXPECT_TRUE(has(output(command("out", {"--turns", "3"})),
                  "turns is 3, but further turns need verdicts, and cuset generate does not judge"));
  const std::vector<std::string> few = {"--limit", "1", "--max-new-tokens", "5"};
  ASSERT_EQ(run_cuset(converse("once", joined(few, {"--turns", "1"}))).exit_status, 0);
  const sandbox::ProcessResult result = run_cuset(converse("once", few));
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_TRUE(has(result.output, "answers.jsonl:1: the answer was written without --turns")) << result.output;
}

class Chat : public Generate {
 protected:
  sandbox::ProcessResult talk(const std::string& typed, const std::vector<std::string>& more = {}) const {
    base::write_file_atomic(folder_ / "typed", typed);
    return run_cuset_reading(folder_ / "typed", joined({"chat", "--model", model(), "--quiet", "--threads",
                                                        "1", "--max-new-tokens", "8", "--context", "200"},
                                                       more));
  }
};

TEST_F(Chat, PipedLinesAreAnsweredInTurn) {
  const sandbox::ProcessResult result =
      talk("first\n\"\"\"\nsecond\nline\n\"\"\"\n/save " + place("talk.jsonl") + "\n");
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const base::Json messages = lines_of(folder_ / "talk.jsonl").at(0)["messages"];
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0]["content"], "first");
  EXPECT_EQ(messages[2]["content"], "second\nline");
  EXPECT_EQ(messages[3]["role"], "assistant");
}

TEST_F(Chat, CommandsChangeTheTalk) {
  const std::string save = "/save " + place("talk.jsonl") + "\n";
  const sandbox::ProcessResult result =
      talk("a\n" + save + "/reset\n/system be short\nb\n" + save + "/adapter " + adapter() + "\n/reset\nb\n" +
               save + "/adapter\n/reset\nb\n" + save + "/adapter nowhere\n/dance\n/quit\nnever\n",
           {"--temperature", "0"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  const std::vector<base::Json> talks = lines_of(folder_ / "talk.jsonl");
  ASSERT_EQ(talks.size(), 4u);
  EXPECT_EQ(talks[0]["messages"].size(), 2u);
  EXPECT_EQ(talks[1]["messages"][0]["content"], "be short");
  EXPECT_NE(talks[1], talks[2]) << "the adapter answers otherwise";
  EXPECT_EQ(talks[1], talks[3]);
  EXPECT_TRUE(has(result.output, "adapter_config.json")) << result.output;
  EXPECT_TRUE(has(result.output, "unknown command \"/dance\"")) << result.output;
}

TEST_F(Chat, FullContextIsSaidAndTheTalkGoesOn) {
  const sandbox::ProcessResult result =
      talk(std::string(600, 'x') + "\n/reset\nshort\n/save " + place("t.jsonl") + "\n");
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_TRUE(has(result.output, "the context 200 (/reset starts a new chat")) << result.output;
  EXPECT_EQ(lines_of(folder_ / "t.jsonl").size(), 1u);
}

}  // namespace
}  // namespace cuset::tests
