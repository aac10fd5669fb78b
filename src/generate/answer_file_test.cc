#include "generate/answer_file.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "support/error_text.h"

namespace cuset::generate {
namespace {

class AnswerFileTest : public testing::Test {
 protected:
  void SetUp() override { base::set_log_level(base::LogLevel::kSilent); }
  void TearDown() override { base::set_log_level(base::LogLevel::kInfo); }

  // "a#0 b#1": the answers in the order of the file.
  std::string order() const {
    std::string names;
    base::JsonlReader reader(path_);
    while (const std::optional<base::Json> line = reader.next()) {
      names += fmt::format("{}{}#{}", names.empty() ? "" : " ", (*line)["task"].get<std::string>(),
                           (*line)["sample"].get<int>());
    }
    return names;
  }

  base::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "answers.jsonl";
};

TEST_F(AnswerFileTest, LineHoldsWhatIsKnown) {
  AnswerFile file(path_);
  file.append("a/1", 2,
              {.text = "x\n",
               .tokens = 5,
               .prompt_tokens = 3,
               .finish = Finish::kStopString,
               .confidence = 0.5,
               .lowest_window = 0.25,
               .seconds = 1.5},
              {{"seed", 7}});
  EXPECT_EQ(base::read_file(path_),
            R"({"task":"a/1","sample":2,"text":"x\n","tokens":5,"prompt_tokens":3,"finish":"stop_string",)"
            R"("confidence":0.5,"lowest_window":0.25,"seconds":1.5,"seed":7})"
            "\n");
}

TEST_F(AnswerFileTest, LaterRunKnowsWhatIsThere) {
  {
    AnswerFile file(path_);
    file.append("a", 0, {}, {});
    file.append("b", 1, {}, {});
  }
  base::write_file_atomic(path_, base::read_file(path_) + R"({"task":"c","sam)");  // torn
  AnswerFile file(path_);
  EXPECT_EQ(file.size(), 2u);
  EXPECT_TRUE(file.has("b", 1));
  EXPECT_FALSE(file.has("b", 0));
  EXPECT_FALSE(file.has("c", 0));
  file.append("c", 0, {}, {});
  EXPECT_EQ(order(), "a#0 b#1 c#0");
}

TEST_F(AnswerFileTest, SortedByTasksAndSamplesOthersLast) {
  AnswerFile file(path_);
  for (const auto& [task, sample] : std::vector<std::pair<std::string, uint32_t>>{
           {"old", 3}, {"b", 1}, {"a", 0}, {"old", 1}, {"b", 0}, {"a", 10}, {"a", 2}}) {
    file.append(task, sample, {}, {});
  }
  const std::vector<std::string> tasks = {"b", "a"};
  file.sort(tasks);
  EXPECT_EQ(order(), "b#0 b#1 a#0 a#2 a#10 old#3 old#1");
  AnswerFile again(path_);
  EXPECT_EQ(again.size(), 7u);
}

TEST_F(AnswerFileTest, OtherFilesAndSecondWritersAreRefused) {
  AnswerFile file(path_);
  EXPECT_NE(support::error_of([&] { AnswerFile second(path_); }).find("another process is appending"),
            std::string::npos);
  const std::filesystem::path other = folder_ / "other.jsonl";
  const std::pair<const char*, const char*> cases[] = {
      {R"({"task":"a"})",
       "other.jsonl:1: field 'sample' is missing (the file does not hold answers to tasks"},
      {R"({"task":"a","sample":-1})", "other.jsonl:1: field 'sample' must be a whole number from 0"},
      {R"([1])", "other.jsonl:1: the top level must be an object, found a list"}};
  for (const auto& [line, message] : cases) {
    base::write_file_atomic(other, std::string(line) + "\n");
    EXPECT_NE(support::error_of([&] { AnswerFile refused(other); }).find(message), std::string::npos) << line;
  }
  base::write_file_atomic(other, "{\"task\":\"a\",\"sample\":0}\n{\"task\":\"a\",\"sample\":0}\n");
  EXPECT_NE(support::error_of([&] { AnswerFile refused(other); }).find("other.jsonl:2: the same sample"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::generate
