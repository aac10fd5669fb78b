// From verdicts to metrics and tables, on results made up by hand.
#include "study/plan/study_tables.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "study/plan/job_record.h"
#include "study/plan/study_page.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlan = R"(question: is <b> escaped?
bases: {builtin: assets/model}
data: {clean: {count: 30}}
methods:
  sft: {objective: sft}
  cuset: {objective: cuset}
  no_mask: {objective: cuset, cuda_mask: false}
  cuset_tau: {objective: cuset, sweep: {tau: [0.3, 0.1]}}
tasks: {seen: {count: 2, seed: 100}, new: {count: 1, seed: 101}}
decodings: {greedy: {}, sampled: {temperature: 0.8, samples: 3}}
seeds: [1, 2]
)";

std::string verdict(const std::string& task, const std::string& outcome) {
  const bool compiled = outcome != "compile_error" && outcome != "unsupported";
  return fmt::format(R"({{"task": "{}", "word": "{}", "tokens": 10, "reward": {{"compiled": {}}}}})", task,
                     outcome, compiled ? 1 : 0) +
         "\n";
}

class StudyTables : public testing::Test {
 protected:
  StudyTables() : plan_(parse_study_plan(kPlan, "p.yaml")), jobs_(jobs_of(plan_, folder_.path())) {}

  // Verdicts of one set: each outcome is one answer, tasks take turns.
  void judge(const AnswerSetPlace& set, const std::vector<std::string>& tasks,
             const std::vector<std::string>& outcomes) const {
    const StudyJob& job = jobs_.jobs[set.verification];
    std::string lines;
    for (size_t i = 0; i < outcomes.size(); ++i) lines += verdict(tasks[i % tasks.size()], outcomes[i]);
    fs::create_directories((folder_.path() / job.record).parent_path());
    base::write_file_atomic(folder_.path() / job.results[0], lines);
    base::write_file_atomic(folder_.path() / job.results[1], "{}");
    write_done_record(
        job, folder_.path(),
        {.seconds = 1, .side_by_side = 1, .machine = "a CPU", .finished = "2026-11-17T00:00:00Z"});
  }

  // The same for every set: the base fails, the second seed of every method is worse.
  void judge_all() const {
    for (const AnswerSetPlace& set : jobs_.sets) {
      const bool is_base = set.method == kNoMethod;
      const std::string good = is_base ? "wrong_output" : "correct";
      const std::string second = set.seed == 2 ? "compile_error" : good;
      const bool is_sampled = set.decoding == "sampled";
      if (set.tasks == "seen") {
        judge(set, {"a/1", "a/2"},
              is_sampled ? std::vector<std::string>{good, second, "crash", second, "crash", second}
                         : std::vector<std::string>{good, second});
      } else {
        judge(set, {"a/1"},
              is_sampled ? std::vector<std::string>{good, good, good} : std::vector<std::string>{good});
      }
    }
  }

  StudyResults results() const { return compute_results(plan_, jobs_, folder_.path(), {.draws = 500}); }

  const MethodResult& method(const DecodingResult& decoding, const std::string& name) const {
    for (const MethodResult& result : decoding.methods)
      if (result.method == name) return result;
    throw base::Error("no {}", name);
  }

  base::TemporaryFolder folder_;
  StudyPlan plan_;
  StudyJobs jobs_;
};

TEST_F(StudyTables, RatesAreMeansOverTasksAndSeeds) {
  judge_all();
  const StudyResults found = results();
  EXPECT_TRUE(found.missing.empty());
  const DecodingResult& greedy = found.decodings[0];
  EXPECT_EQ(greedy.tasks, 3u);
  EXPECT_EQ(greedy.tasks_of_part, (std::vector<size_t>{2, 1}));
  const MethodResult& sft = method(greedy, "sft");
  EXPECT_EQ(sft.seeds, (std::vector<int64_t>{1, 2}));
  EXPECT_NEAR(sft.rates[kCorrectPass1].value, (1 + 2.0 / 3) / 2, 1e-12);
  EXPECT_NEAR(sft.rates[kCompilePass1].value, (1 + 2.0 / 3) / 2, 1e-12);
  EXPECT_NEAR(sft.correct_of_part[0].value, 0.75, 1e-12);
  EXPECT_NEAR(sft.correct_of_part[1].value, 1, 1e-12);
  EXPECT_EQ(method(greedy, "base").rates[kCorrectPass1].value, 0);
  EXPECT_EQ(method(greedy, "base").rates[kCompilePass1].value, 1);
}

TEST_F(StudyTables, PassAtKIsUnbiased) {
  judge_all();
  const DecodingResult sampled = results().decodings[1];
  EXPECT_EQ(sampled.k, 3u);
  const MethodResult& sft = method(sampled, "sft");
  // Seed 1: task a/1 of `seen` has 1 of 3 right, a/2 all, `new` all. Seed 2: 1 of 3, none, all.
  EXPECT_NEAR(sft.rates[kCorrectPass1].value, ((1.0 / 3 + 1 + 1) / 3 + (1.0 / 3 + 0 + 1) / 3) / 2, 1e-12);
  EXPECT_NEAR(sft.rates[kCorrectPassK].value, (1 + 2.0 / 3) / 2, 1e-12);
}

TEST_F(StudyTables, FaultyTasksAreLeftOutAndUnsupportedAnswersAreWrong) {
  judge_all();
  for (const AnswerSetPlace& set : jobs_.sets) {
    if (set.decoding != "greedy" || set.tasks != "seen") continue;
    if (set.method == "sft" && set.seed == 1) judge(set, {"a/1", "a/2"}, {"faulty_task", "unsupported"});
  }
  const DecodingResult greedy = results().decodings[0];
  EXPECT_EQ(greedy.tasks, 2u);
  EXPECT_EQ(method(greedy, "cuset").rates[kCorrectPass1].value, 0.75);
  EXPECT_EQ(method(greedy, "sft").rates[kCorrectPass1].value, 0.5);
}

TEST_F(StudyTables, PairsHaveNoDifferenceWhereMethodsAreEqual) {
  judge_all();
  const DecodingResult greedy = results().decodings[0];
  for (const PairResult& pair : greedy.pairs) {
    if (pair.right != "sft") continue;
    EXPECT_EQ(pair.difference.value, 0);
    EXPECT_EQ(pair.difference.interval.low, 0);
    EXPECT_EQ(pair.p, 1);
  }
  const PairResult& against_base = greedy.pairs[0];
  EXPECT_EQ(against_base.left + against_base.right, "sftbase");
  EXPECT_NEAR(against_base.difference.value, 5.0 / 6, 1e-12);
  EXPECT_EQ(against_base.p, 0.25);  // three tasks, all better: 2 of 8 sign patterns
  EXPECT_EQ(against_base.p_holm, 1);
}

TEST_F(StudyTables, DataSetsAreComparedUnderEachMethod) {
  std::string text = kPlan;
  text.replace(text.find("data: {"), 7, "compare_data: [[clean, other]]\ndata: {other: {count: 8}, ");
  plan_ = parse_study_plan(text, "p.yaml");
  jobs_ = jobs_of(plan_, folder_.path());
  judge_all();
  for (const AnswerSetPlace& set : jobs_.sets)
    if (set.decoding == "greedy" && set.tasks == "seen" && set.data == "other")
      judge(set, {"a/1", "a/2"}, {"wrong_output", "crash"});
  const StudyResults found = results();
  size_t compared = 0;
  for (const PairResult& pair : found.decodings[0].pairs) {
    if (!pair.data.empty() || pair.left != "sft on clean") continue;
    ++compared;
    EXPECT_EQ(pair.right, "sft on other");
    EXPECT_NEAR(pair.difference.value, (1 + 2.0 / 3) / 2 - 1.0 / 3, 1e-12);
  }
  EXPECT_EQ(compared, 1u);
  const std::string tables = write_study_tables(plan_, found, {"c", "v"}, folder_.path());
  EXPECT_NE(tables.find("sft on clean - sft on other"), std::string::npos) << tables;
}

TEST_F(StudyTables, SetsWithoutVerdictsAreNamedAndLeftOut) {
  judge_all();
  fs::remove(folder_.path() / jobs_.jobs[jobs_.sets.back().verification].record);
  const StudyResults found = results();
  ASSERT_EQ(found.missing.size(), 1u);
  EXPECT_EQ(method(found.decodings[1], "cuset_tau_tau_0.1").seeds, (std::vector<int64_t>{1}));
}

TEST_F(StudyTables, NothingJudgedGivesNoTables) {
  const StudyResults found = results();
  EXPECT_TRUE(found.decodings[0].methods.empty());
  EXPECT_TRUE(tables_of(plan_, found, found.decodings[0], {}).empty());
  EXPECT_NE(study_page(plan_, found, {}).find("No results yet."), std::string::npos);
}

TEST_F(StudyTables, MalformedVerdictsAreRefusedWithTheirPlace) {
  base::write_file_atomic(folder_.path() / "v.jsonl",
                          verdict("a", "correct") + "{\"task\": 3, \"word\": \"correct\"}\n");
  SetVerdicts set;
  try {
    add_verdicts(folder_.path() / "v.jsonl", "", set);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("v.jsonl:2: field 'task'"), std::string::npos) << error.what();
  }
}

TEST_F(StudyTables, EveryTableIsWrittenInFourForms) {
  judge_all();
  const std::string text =
      write_study_tables(plan_, results(), {"cuset study p.yaml", "0.1"}, folder_.path());
  for (const char* name : {"methods", "tasks", "pairs", "switches", "curve-tau-builtin-clean", "outcomes"}) {
    for (const char* decoding : {"greedy", "sampled"}) {
      for (const char* extension : {"txt", "md", "csv", "tex"})
        EXPECT_TRUE(fs::exists(folder_.path() / fmt::format("tables/{}-{}.{}", name, decoding, extension)))
            << name;
    }
  }
  EXPECT_NE(text.find("train s: seconds of one training run"), std::string::npos);
  const base::Json summary = base::read_json_file(folder_.path() / "tables/summary.json");
  EXPECT_EQ(summary["format"], "cuset-study/1");
  EXPECT_EQ(summary["decodings"][0]["methods"].size(), 6u);
  const std::string page = base::read_file(folder_.path() / "tables/study.html");
  EXPECT_NE(page.find("is &lt;b&gt; escaped?"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}

TEST_F(StudyTables, WritingAgainGivesTheSameBytes) {
  judge_all();
  const std::string first = write_study_tables(plan_, results(), {"c", "v"}, folder_.path());
  const std::string page = base::read_file(folder_.path() / "tables/study.html");
  EXPECT_EQ(write_study_tables(plan_, results(), {"c", "v"}, folder_.path()), first);
  EXPECT_EQ(base::read_file(folder_.path() / "tables/study.html"), page);
}

TEST_F(StudyTables, SwitchesShowWhichPartsAMethodHas) {
  judge_all();
  const StudyResults found = results();
  for (const StudyTable& table : tables_of(plan_, found, found.decodings[0], {})) {
    if (table.name != "switches-greedy") continue;
    ASSERT_EQ(table.rows.size(), 5u);
    EXPECT_FALSE(table.rows[0][3].is_on);  // sft
    EXPECT_TRUE(table.rows[1][4].is_on);   // cuset
    EXPECT_FALSE(table.rows[2][4].is_on);  // no_mask
    EXPECT_TRUE(table.rows[2][5].is_on);
  }
}

TEST_F(StudyTables, CurvesAreSortedByTheirSetting) {
  judge_all();
  const StudyResults found = results();
  const std::vector<StudyCurve> curves = curves_of(plan_, found.decodings[0]);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].setting, "tau");
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[0].x, 0.1);
}

StudyTable small_table() {
  StudyTable table;
  table.name = "t";
  table.title = "A & B";
  table.columns = {"method", "correct", "on"};
  table.rows = {{TableCell::of_text("a_b|\"c\", d"), TableCell::of_rate({0.656, {0.61, 0.7}}),
                 TableCell::of_switch(true)},
                {TableCell::of_text("é"), TableCell::of_difference({-0.05, {-0.1, 0.001}}),
                 TableCell::of_switch(false)}};
  table.rules = {1};
  table.notes = {"p < 1 %"};
  rank_column(table, 1, {0, 1});
  return table;
}

TEST(StudyTable, TextIsAligned) {
  EXPECT_EQ(as_text(small_table()),
            "A & B\n\n"
            "method      correct            on\n"
            "a_b|\"c\", d  65.6 [61.0, 70.0]  ✓\n"
            "\n"
            "é           -5.0 [-10.0, 0.1]\n"
            "\n"
            "p < 1 %\n");
}

TEST(StudyTable, MarkdownEscapesBars) {
  EXPECT_EQ(as_markdown(small_table()),
            "### A & B\n\n"
            "| method | correct | on |\n|---|---|---|\n"
            "| a\\_b\\|\"c\", d | **65.6 [61.0, 70.0]** | ✓ |\n"
            "| é | *-5.0 [-10.0, 0.1]* |  |\n"
            "\np \\< 1 %\n");
}

TEST(StudyTable, CsvHasTheEndsOfIntervals) {
  EXPECT_EQ(as_csv(small_table()),
            "method,correct,correct low,correct high,on\n"
            "\"a_b|\"\"c\"\", d\",65.6000,61.0000,70.0000,1\n"
            "é,-5.0000,-10.0000,0.1000,0\n");
}

TEST(StudyTable, LatexIsEscaped) {
  EXPECT_EQ(as_latex(small_table()),
            "\\begin{table}\n\\centering\n\\caption{A \\& B. p $<$ 1 \\%}\n"
            "\\begin{tabular}{lll}\n\\toprule\nmethod & correct & on \\\\\n\\midrule\n"
            "a\\_b|\"c\", d & \\textbf{65.6 [61.0, 70.0]} & $\\checkmark$ \\\\\n"
            "\\midrule\n"
            "é & \\underline{$-5.0$ [-10.0, 0.1]} &  \\\\\n"
            "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

TEST(StudyTable, HtmlIsEscaped) {
  EXPECT_NE(as_html(small_table()).find("<caption>A &amp; B</caption>"), std::string::npos);
  EXPECT_NE(as_html(small_table()).find("<b>65.6 [61.0, 70.0]</b>"), std::string::npos);
}

}  // namespace
}  // namespace cuset::study
