// cuset gym as a user runs it.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "e2e/program.h"

namespace cuset::tests {
namespace {

class GymProgramTest : public testing::Test {
 protected:
  // Standard output and error; fails the test where the program does.
  std::string gym(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "gym");
    const sandbox::ProcessResult result = run_cuset(arguments);
    EXPECT_EQ(result.exit_status, 0) << result.output;
    return result.output;
  }

  std::string file(const char* name) const { return (folder_ / name).string(); }

  base::TemporaryFolder folder_;
};

TEST_F(GymProgramTest, ListNamesFamiliesAndStyles) {
  const std::string list = gym({"list"});
  EXPECT_NE(list.find("saxpy"), std::string::npos) << list;
  EXPECT_NE(list.find("grid_stride"), std::string::npos) << list;
  EXPECT_NE(list.find("(held out)"), std::string::npos) << list;
}

TEST_F(GymProgramTest, SameSeedGivesTheSameBytes) {
  const std::vector<std::string> flags = {"--count", "60",  "--seed",      "7",
                                          "--noise", "0.3", "--reasoning", "mixed"};
  for (const char* name : {"one.jsonl", "two.jsonl"}) {
    std::vector<std::string> arguments = {"data", "--output", file(name)};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    if (std::string_view(name) == "two.jsonl") arguments.insert(arguments.end(), {"--threads", "1"});
    gym(arguments);
  }
  EXPECT_EQ(base::read_file(file("one.jsonl")), base::read_file(file("two.jsonl")));
}

TEST_F(GymProgramTest, HeldOutTasksDoNotOccurInTrainingData) {
  gym({"data", "--output", file("train.jsonl"), "--count", "300"});
  gym({"tasks", "--output", file("tasks.jsonl"), "--count", "60", "--split", "held_out", "--answers",
       file("answers.jsonl")});
  const base::Json prompts = base::parse_json(
      gym({"check", "--train", file("train.jsonl"), "--held-out", file("tasks.jsonl"), "--json", "--quiet"}),
      "check");
  EXPECT_EQ(prompts["prompts"]["held_out"], 180);
  EXPECT_EQ(prompts["prompts"]["repeated"], 0);
  gym({"check", "--train", file("train.jsonl"), "--held-out", file("answers.jsonl")});
}

TEST_F(GymProgramTest, ARepeatedTextFailsTheCheck) {
  gym({"data", "--output", file("train.jsonl"), "--count", "20"});
  const sandbox::ProcessResult result =
      run_cuset({"gym", "check", "--train", file("train.jsonl"), "--held-out", file("train.jsonl")});
  EXPECT_EQ(result.exit_status, 1) << result.output;
}

TEST_F(GymProgramTest, DocumentsAreTexts) {
  gym({"corpus", "--output", file("corpus.jsonl"), "--count", "30"});
  const std::string text = base::read_file(file("corpus.jsonl"));
  const base::Json first = base::parse_json(text.substr(0, text.find('\n')), "corpus");
  EXPECT_TRUE(first["text"].is_string());
}

TEST_F(GymProgramTest, WrongUsageIsOneLine) {
  const std::vector<std::string> cases[] = {{"gym"},
                                            {"gym", "tusks"},
                                            {"gym", "tasks"},
                                            {"gym", "data", "--output", file("x"), "--noise", "3"},
                                            {"gym", "data", "--output", file("x"), "--families", "saxpi"}};
  for (const std::vector<std::string>& arguments : cases) {
    const sandbox::ProcessResult result = run_cuset(arguments);
    EXPECT_EQ(result.exit_status, 2) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
}

}  // namespace
}  // namespace cuset::tests
