#include "report/sources.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_folder.h"

namespace cuset::report {
namespace {

std::string refusal(const support::TestFolder& folder) {
  try {
    find_sources(folder.path());
  } catch (const base::Error& error) {
    const std::string text = error.one_line();
    return text.substr(text.find(": ") + 2);
  }
  return "";
}

TEST(ReportSources, PathsAreRelativeToReportJson) {
  const support::TestFolder folder;
  folder.write("sft/metrics.jsonl", "");
  folder.write("tasks.jsonl", "");
  folder.write("report.json", R"({"format": "cuset-report/1", "title": "T", "tasks": "tasks.jsonl",
      "notes": ["one"], "methods": [{"name": "SFT", "metrics": "sft/metrics.jsonl"}]})");
  const ReportSources sources = find_sources(folder.path());
  ASSERT_EQ(sources.methods.size(), 1u);
  EXPECT_EQ(sources.methods[0].metrics, folder.path() / "sft/metrics.jsonl");
  EXPECT_TRUE(sources.methods[0].verdicts.empty());
  EXPECT_EQ(sources.tasks, folder.path() / "tasks.jsonl");
  EXPECT_TRUE(sources.analysis.empty());
  EXPECT_EQ(sources.about["title"], "T");
  EXPECT_EQ(sources.about["notes"], base::Json({"one"}));
}

TEST(ReportSources, ANamedFileThatIsNotThereIsLeftOut) {
  const support::TestFolder folder;
  folder.write("report.json", R"({"format": "cuset-report/1", "analysis": "gone.json",
      "methods": [{"name": "SFT", "metrics": "gone.jsonl"}]})");
  const ReportSources sources = find_sources(folder.path());
  EXPECT_TRUE(sources.analysis.empty());
  EXPECT_TRUE(sources.methods[0].metrics.empty());
}

TEST(ReportSources, ANameThatNoFileCanHaveIsLeftOut) {
  const support::TestFolder folder;
  folder.write("report.json", R"({"format": "cuset-report/1", "methods": [{"name": "SFT", "metrics": ")" +
                                  std::string(5000, 'a') + R"("}]})");
  const ReportSources sources = find_sources(folder.path());
  ASSERT_EQ(sources.methods.size(), 1u);
  EXPECT_TRUE(sources.methods[0].metrics.empty());
}

TEST(ReportSources, ARunNeedsNoReportJson) {
  const support::TestFolder folder;
  folder.write("base/verdicts.jsonl", "");
  folder.write("base/summary.json", "{}");
  folder.write("cuset/answers.jsonl", "");
  folder.write("other/notes.txt", "");
  folder.write("analysis.json", "{}");
  const ReportSources sources = find_sources(folder.path());
  ASSERT_EQ(sources.methods.size(), 2u);
  EXPECT_EQ(sources.methods[0].name, "base");
  EXPECT_EQ(sources.methods[0].summary, folder.path() / "base/summary.json");
  EXPECT_EQ(sources.methods[1].name, "cuset");
  EXPECT_FALSE(sources.analysis.empty());
}

TEST(ReportSources, RunJsonNamesCommandAndTasks) {
  const support::TestFolder folder;
  const std::string tasks = folder.write("elsewhere.jsonl", "").string();
  folder.write("verdicts.jsonl", "");
  folder.write("run.json", base::to_json_line({{"command", "verify"}, {"tasks", tasks}}));
  const ReportSources sources = find_sources(folder.path());
  EXPECT_EQ(sources.tasks, tasks);
  EXPECT_EQ(sources.about["command"], "cuset verify");
}

TEST(ReportSources, MethodsStandInTheOrderGiven) {
  const support::TestFolder folder;
  for (const char* name : {"alpha", "base", "zeta", "zeta2-level3"}) {
    folder.write(std::string(name) + "/verdicts.jsonl", "");
    folder.write(
        std::string(name) + "/generation.json",
        R"({"settings": {"adapter": {"value": ["runs/zeta/", "runs/zeta2", "runs/alpha"], "origin": "--adapter"}}})");
  }
  const ReportSources sources = find_sources(folder.path());
  ASSERT_EQ(sources.methods.size(), 4u);
  EXPECT_EQ(sources.methods[0].name, "base");
  EXPECT_EQ(sources.methods[1].name, "zeta");
  EXPECT_EQ(sources.methods[2].name, "zeta2-level3");
  EXPECT_EQ(sources.methods[3].name, "alpha");
}

TEST(ReportSources, AVerificationFindsItsAnswers) {
  const support::TestFolder folder;
  const std::string answers = folder
                                  .write("elsewhere.jsonl", R"({"task": "a", "text": "x"})"
                                                            "\n")
                                  .string();
  folder.write("verify/verdicts.jsonl", "");
  folder.write("verify/run.json", base::to_json_line({{"command", "verify"}, {"answers", answers}}));
  const ReportSources sources = find_sources(folder.path() / "verify");
  EXPECT_EQ(sources.methods[0].answers, answers);
}

TEST(ReportSources, SaysWhatIsWrong) {
  const support::TestFolder folder;
  EXPECT_TRUE(refusal(folder).starts_with("nothing to report on (give a folder with report.json"));
  const std::pair<const char*, const char*> cases[] = {
      {R"({"format": "other"})",
       "field 'format' must be \"cuset-report/1\", found the string \"other\" (docs/report.md"},
      {R"([])", "the top level must be an object, found a list"},
      {R"({})", "field 'format' is missing; it must be \"cuset-report/1\""},
      {R"({"format": "cuset-report/1", "methods": 3})", "field 'methods' must be a list, found the number 3"},
      {R"({"format": "cuset-report/1", "methods": [3]})",
       "field 'methods[0]' must be an object, found the number 3"},
      {R"({"format": "cuset-report/1", "methods": [{}]})", "field 'methods[0].name' is missing"},
      {R"({"format": "cuset-report/1", "title": 3})", "field 'title' must be a string, found the number 3"},
      {R"({"format": "cuset-report/1", "notes": [3]})",
       "field 'notes[0]' must be a string, found the number 3"},
  };
  for (const auto& [text, wanted] : cases) {
    folder.write("report.json", text);
    EXPECT_TRUE(refusal(folder).starts_with(wanted)) << refusal(folder);
  }
  EXPECT_THROW(find_sources(folder.path() / "report.json"), base::Error);
}

}  // namespace
}  // namespace cuset::report
