#include "report/run_description.h"

#include <gtest/gtest.h>

#include "support/test_folder.h"

namespace cuset::report {
namespace {

TEST(RunDescription, TellsHowARunWasMade) {
  const support::TestFolder folder;
  folder.write(
      "run.json",
      R"({"command": "train", "command_line": "cuset train --model m", "started": "2026-11-18T08:00:00Z",
      "version": "0.1.0", "data": {"samples": 12, "tokens": 8600},
      "settings": {"model": {"value": "m", "origin": "--model"}, "objective": {"value": "cuset", "origin": "default"},
                   "data": {"value": ["a.jsonl", "b.jsonl"], "origin": "run.yaml:3"},
                   "lora_rank": {"value": 8, "origin": "default"}}})");
  const base::Json about = read_run_description(folder.path()).about;
  EXPECT_EQ(about["command"], "cuset train --model m");
  EXPECT_EQ(about["created"], "2026-11-18T08:00:00Z");
  EXPECT_EQ(about["model"], "m");
  EXPECT_EQ(about["objective"], "cuset");
  EXPECT_EQ(about["data"], "12 samples, 8600 tokens; a.jsonl, b.jsonl");
  EXPECT_EQ(about["settings"],
            base::Json::parse(R"([["model", "m", "--model"], ["data", "a.jsonl, b.jsonl", "run.yaml:3"]])"));
}

TEST(RunDescription, FindsAnswersOfOurOwnForm) {
  const support::TestFolder folder;
  const std::string ours = folder
                               .write("ours.jsonl", R"({"task": "a", "sample": 0, "text": "x"})"
                                                    "\n")
                               .string();
  const std::string foreign = folder
                                  .write("foreign.jsonl", R"({"task_id": "a", "completion": "x"})"
                                                          "\n")
                                  .string();
  folder.write("run.json", base::to_json_line({{"command", "verify"}, {"answers", ours}}));
  EXPECT_EQ(read_run_description(folder.path()).answers, ours);
  folder.write("run.json", base::to_json_line({{"command", "verify"}, {"answers", foreign}}));
  EXPECT_TRUE(read_run_description(folder.path()).answers.empty());
  folder.write("run.json", base::to_json_line({{"command", "verify"}, {"answers", "gone.jsonl"}}));
  EXPECT_TRUE(read_run_description(folder.path()).answers.empty());
}

TEST(RunDescription, AnythingMayBeMissing) {
  const support::TestFolder folder;
  EXPECT_TRUE(read_run_description(folder.path()).about.empty());
  folder.write("generation.json",
               R"({"settings": {"adapter": {"value": ["x/sft", "y/cuset"], "origin": "--adapter"}}})");
  EXPECT_EQ(read_run_description(folder.path()).adapters, (std::vector<std::string>{"x/sft", "y/cuset"}));
  folder.write("run.json", "[]");
  EXPECT_TRUE(read_run_description(folder.path()).about.empty());
}

}  // namespace
}  // namespace cuset::report
