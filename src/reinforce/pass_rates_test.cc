#include "reinforce/pass_rates.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"

namespace cuset::reinforce {
namespace {

std::string line(const std::string& task, uint32_t sample, judge::Outcome outcome) {
  judge::Verdict verdict;
  verdict.task = task;
  verdict.sample = sample;
  verdict.outcome = outcome;
  base::Json record = judge::json_of(verdict);
  record["answer"] = "the hash of a text";
  return record.dump() + "\n";
}

TEST(PassRates, AreSharesOfWhatWasJudged) {
  using judge::Outcome;
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "verdicts.jsonl",
                          line("a", 0, Outcome::kCorrect) + line("b", 0, Outcome::kCompileError) +
                              line("a", 1, Outcome::kWrongOutput) + line("c", 0, Outcome::kUnsupported));
  const std::map<std::string, double> expected{{"a", 0.5}, {"b", 0.0}};
  EXPECT_EQ(read_pass_rates(folder.path()), expected);
  EXPECT_EQ(read_pass_rates(folder / "verdicts.jsonl"), expected);
}

TEST(PassRates, RefuseWhatIsNoVerdict) {
  const base::TemporaryFolder folder;
  EXPECT_THROW(read_pass_rates(folder.path()), base::Error) << "no file";
  base::write_file_atomic(folder / "verdicts.jsonl", "{\"task\": \"a\"}\n");
  EXPECT_THROW(read_pass_rates(folder.path()), base::Error);
}

TEST(PassRates, ChooseWhatHasSpreadTheEasiestFirst) {
  std::vector<tasks::Task> tasks(6);
  std::vector<TaskPrompt> prompts;
  for (size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].id = std::string(1, static_cast<char>('a' + i));
    prompts.push_back({&tasks[i], "1", {}});
  }
  const PromptsByPassRate chosen =
      choose_by_pass_rate(prompts, {{"a", 0.2}, {"b", 1}, {"c", 0}, {"d", 0.9}, {"e", 0.2}}, {0.1, 0.9});
  std::string order;
  for (const TaskPrompt& prompt : chosen.prompts) order += prompt.task->id;
  EXPECT_EQ(order, "dae") << "equal ones stay in their order";
  EXPECT_EQ(chosen.easier, 1u);
  EXPECT_EQ(chosen.harder, 1u);
  EXPECT_EQ(chosen.unknown, 1u);
}

}  // namespace
}  // namespace cuset::reinforce
