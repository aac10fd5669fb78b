#include "study/plan/jobs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/files/config_file.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "study/plan/estimate.h"
#include "study/plan/job_record.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

std::string plan_text(const std::string& methods, const std::string& more = "") {
  return "bases: {builtin: assets/model}\n"
         "data: {clean: {count: 30}}\n"
         "methods: {" +
         methods +
         "}\n"
         "tasks: {seen: {count: 4, seed: 100}, new: {count: 2, seed: 101}}\n"
         "seeds: [1]\n" +
         more;
}

constexpr const char* kTwoMethods = "sft: {objective: sft}, cuset: {objective: cuset}";

class StudyJobsTest : public testing::Test {
 protected:
  StudyJobs jobs(const std::string& text) const {
    return jobs_of(parse_study_plan(text, "p.yaml"), folder_.path());
  }

  // As if every job had been done.
  void do_all(const StudyJobs& all) const {
    for (const StudyJob& job : all.jobs) {
      for (const fs::path& result : job.results) {
        fs::create_directories((folder_.path() / result).parent_path());
        base::write_file_atomic(folder_.path() / result, "made by " + job.name);
      }
    }
    for (const StudyJob& job : all.jobs)
      write_done_record(job, folder_.path(),
                        {.seconds = 2, .side_by_side = 1, .machine = "m", .finished = "t"});
  }

  // "kind name" of the jobs that are not done.
  std::vector<std::string> open_jobs(const StudyJobs& all) const {
    std::vector<std::string> open;
    for (const StudyJob& job : all.jobs)
      if (state_of(job, folder_.path()) != JobState::kDone) open.push_back(job.kind + " " + job.name);
    return open;
  }

  base::TemporaryFolder folder_;
};

TEST_F(StudyJobsTest, EveryJobComesAfterWhatItNeeds) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  for (size_t i = 0; i < all.jobs.size(); ++i)
    for (const size_t need : all.jobs[i].needs) EXPECT_LT(need, i);
}

TEST_F(StudyJobsTest, SharedDataAndTasksAreMadeOnce) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  std::map<std::string, int> kinds;
  for (const StudyJob& job : all.jobs) ++kinds[job.kind];
  EXPECT_EQ(kinds, (std::map<std::string, int>{
                       {"data", 1}, {"tasks", 2}, {"train", 2}, {"generate", 6}, {"verify", 6}}));
}

TEST_F(StudyJobsTest, TrainingGetsTheCellsSeedAndItsOwnFolder) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  const auto training = std::find_if(all.jobs.begin(), all.jobs.end(),
                                     [](const StudyJob& job) { return job.name == "builtin/cuset-clean-1"; });
  ASSERT_NE(training, all.jobs.end());
  const fs::path folder = folder_.path();
  EXPECT_EQ(training->command,
            (std::vector<std::string>{"train", "--model", "assets/model", "--data",
                                      folder / "data/clean-1.jsonl", "--output",
                                      folder / "cells/builtin/cuset-clean-1", "--resume", "--seed", "1"}));
}

TEST_F(StudyJobsTest, DoneJobsStayDone) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  EXPECT_EQ(open_jobs(all).size(), all.jobs.size());
  do_all(all);
  EXPECT_EQ(open_jobs(jobs(plan_text(kTwoMethods))), std::vector<std::string>{});
}

TEST_F(StudyJobsTest, AChangedMethodRedoesOnlyItsCells) {
  do_all(jobs(plan_text(kTwoMethods)));
  EXPECT_EQ(open_jobs(jobs(plan_text("sft: {objective: sft}, cuset: {objective: cuset, tau: 0.3}"))),
            (std::vector<std::string>{
                "train builtin/cuset-clean-1", "generate builtin/greedy/seen/cuset-clean-1",
                "verify builtin/greedy/seen/cuset-clean-1", "generate builtin/greedy/new/cuset-clean-1",
                "verify builtin/greedy/new/cuset-clean-1"}));
}

TEST_F(StudyJobsTest, AChangedPartOfTheTasksRedoesOnlyItsAnswers) {
  do_all(jobs(plan_text(kTwoMethods)));
  std::string text = plan_text(kTwoMethods);
  text.replace(text.find("seed: 101"), 9, "seed: 102");
  for (const std::string& job : open_jobs(jobs(text)))
    EXPECT_TRUE(job == "tasks tasks/new" || job.find("/new/") != std::string::npos) << job;
  EXPECT_EQ(open_jobs(jobs(text)).size(), 7u);
}

TEST_F(StudyJobsTest, AChangedVerificationKeepsTheAnswers) {
  do_all(jobs(plan_text(kTwoMethods)));
  for (const std::string& job : open_jobs(jobs(plan_text(kTwoMethods, "verify: {trials: 3}\n"))))
    EXPECT_TRUE(job.starts_with("verify ")) << job;
}

TEST_F(StudyJobsTest, SpellingAndSpeedChangeNothing) {
  do_all(jobs(plan_text("a: {objective: sft, learning_rate: 2e-3}", "generate: {batch_size: 8}\n")));
  EXPECT_EQ(open_jobs(jobs(plan_text("a: {learning_rate: 0.002, objective: sft, logging_steps: 5}",
                                     "generate: {batch_size: 64}\nverify: {workers: 2}\n"))),
            std::vector<std::string>{});
}

TEST_F(StudyJobsTest, ADamagedResultOrRecordIsMadeAgain) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  do_all(all);
  const StudyJob& data = all.jobs[1];
  base::write_file_atomic(folder_.path() / data.results[0], "cut");
  EXPECT_EQ(state_of(data, folder_.path()), JobState::kStale);
  const StudyJob& other = all.jobs[2];
  for (const char* record : {"{\"made_with\"", "[]", "{\"done\": true}", ""}) {
    base::write_file_atomic(folder_.path() / other.record, record);
    EXPECT_EQ(state_of(other, folder_.path()), JobState::kStale) << record;
  }
}

TEST_F(StudyJobsTest, AnInterruptedJobIsContinuedAndAStrangersFilesAreNot) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  const StudyJob& job = all.jobs[0];
  EXPECT_EQ(state_of(job, folder_.path()), JobState::kOpen);
  fs::create_directories((folder_.path() / job.results[0]).parent_path());
  base::write_file_atomic(folder_.path() / job.results[0], "whose?");
  EXPECT_EQ(state_of(job, folder_.path()), JobState::kStale);
  write_begun_record(job, folder_.path(), {.seconds = 3, .side_by_side = 1, .machine = "m", .finished = ""});
  EXPECT_EQ(state_of(job, folder_.path()), JobState::kBegun);
  EXPECT_EQ(cost_of(job, folder_.path()).seconds, 3);
  remove_leftovers(job, folder_.path());
  EXPECT_EQ(state_of(job, folder_.path()), JobState::kOpen);
}

TEST_F(StudyJobsTest, AFileOfThePlanMayBeMissingOnceItIsCopied) {
  base::write_file_atomic(folder_.path() / "mine.jsonl", "{}\n");
  std::string text = plan_text(kTwoMethods);
  text.replace(text.find("{count: 30}"), 11, "{file: " + (folder_.path() / "mine.jsonl").string() + "}");
  do_all(jobs(text));
  fs::remove(folder_.path() / "mine.jsonl");
  EXPECT_EQ(open_jobs(jobs(text)), std::vector<std::string>{});
  base::write_file_atomic(folder_.path() / "mine.jsonl", "{\"other\": 1}\n");
  EXPECT_FALSE(open_jobs(jobs(text)).empty());
}

TEST_F(StudyJobsTest, ABaseIsTrainedMergedAndThenUsed) {
  std::string text = plan_text(kTwoMethods);
  text.replace(text.find("{builtin: assets/model}"), 23,
               "{s: {model: assets/model, data: warm, train: {seed: 5}}}");
  text.replace(text.find("{clean:"), 7, "{warm: {count: 8, seed: 77}, clean:");
  const StudyJobs all = jobs(text);
  std::vector<std::string> kinds;
  for (const StudyJob& job : all.jobs)
    if (job.part == StudyPart::kTrain) kinds.push_back(job.kind + " " + job.name);
  EXPECT_EQ(kinds, (std::vector<std::string>{"train s/adapter", "merge s/model", "train s/sft-clean-1",
                                             "train s/cuset-clean-1"}));
  const StudyJob& cell = all.jobs[all.jobs_of_cell[0][0]];
  EXPECT_EQ(cell.command[2], (folder_.path() / "bases/s/model").string());
}

TEST_F(StudyJobsTest, ACurationStandsBetweenTheGymAndTraining) {
  const fs::path curation = folder_ / "c.yaml";
  base::write_file_atomic(curation, "validation: 0\n");
  const auto text = [&] {
    std::string plan = plan_text(kTwoMethods);
    return plan.replace(plan.find("{clean: {count: 30}}"), 20,
                        "{noisy: {count: 30}, kept: {curate: noisy, plan: " + curation.string() + "}}");
  };
  const StudyJobs all = jobs(text());
  const auto named = [&](const std::string& name) {
    return *std::find_if(all.jobs.begin(), all.jobs.end(),
                         [&](const StudyJob& job) { return job.name == name; });
  };
  const StudyJob gym = named("data/noisy-1");
  const std::string tasks = (folder_ / "data/noisy-1.tasks.jsonl").string();
  EXPECT_EQ(gym.command.back(), tasks);
  const StudyJob kept = named("data/kept-1");
  EXPECT_EQ(kept.kind, "curate");
  EXPECT_EQ(all.jobs[kept.needs.at(0)].name, "data/noisy-1");
  EXPECT_EQ(kept.command, (std::vector<std::string>{"curate", folder_ / "data/kept-1.plan.yaml", "--output",
                                                    folder_ / "data/kept-1"}));
  EXPECT_EQ(kept.input_text, "validation: 0\n\nsources:\n  data: {file: \"" +
                                 (folder_ / "data/noisy-1.jsonl").string() + "\", tasks: \"" + tasks +
                                 "\"}\n");
  EXPECT_EQ(named("builtin/sft-kept-1").command[4], folder_ / "data/kept-1/train.jsonl");
  // Another curation is another data set; what it is made of stays.
  do_all(all);
  base::write_file_atomic(curation, "validation: 0\nseed: 3\n");
  for (const std::string& job : open_jobs(jobs(text())))
    EXPECT_EQ(job.find("noisy"), std::string::npos) << job;
  EXPECT_EQ(open_jobs(jobs(text())).front(), "curate data/kept-1");
}

TEST_F(StudyJobsTest, OnlyChoosesCellsAndWhatTheyNeed) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  const std::vector<bool> chosen = chosen_jobs(all, "builtin/cuset-*");
  std::vector<std::string> names;
  for (size_t i = 0; i < all.jobs.size(); ++i)
    if (chosen[i] && all.jobs[i].part <= StudyPart::kTrain) names.push_back(all.jobs[i].name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names,
            (std::vector<std::string>{"builtin/cuset-clean-1", "data/clean-1", "tasks/new", "tasks/seen"}));
  const std::vector<bool> none = chosen_jobs(all, "nothing");
  EXPECT_EQ(std::count(none.begin(), none.end(), true), 0);
}

TEST_F(StudyJobsTest, SettingsSurviveTheWayThroughAFile) {
  const PlanSettings settings = {{.key = "stop", .values = {"a,\n\"b\"", "c: d"}, .is_list = true, .line = 1},
                                 {.key = "system", .values = {"# yes: no"}, .is_list = false, .line = 2},
                                 {.key = "seed", .values = {}, .is_list = false, .line = 3}};
  const std::vector<base::ConfigEntry> read = base::parse_config(settings_as_yaml(settings), "f");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].values, settings[0].values);
  EXPECT_EQ(read[1].values, settings[1].values);
}

TEST_F(StudyJobsTest, EstimatesComeFromFinishedJobsWhereThereAreSome) {
  const StudyJobs all = jobs(plan_text(kTwoMethods));
  const std::vector<bool> chosen = chosen_jobs(all, "");
  const MachineSpeed speed{.has_gpu = false, .cores = 2};
  const auto training = [&] {
    for (const KindEstimate& estimate : estimate_study(all, folder_.path(), chosen, speed, 1))
      if (estimate.kind == "train") return estimate;
    return KindEstimate{};
  };
  EXPECT_FALSE(training().is_measured);
  EXPECT_NEAR(training().seconds_left, 2 * 30 * 3 / (2 * 2.2), 1e-9);
  const StudyJob& first = all.jobs[all.jobs_of_cell[0][0]];
  for (const fs::path& result : first.results) {
    fs::create_directories((folder_.path() / result).parent_path());
    base::write_file_atomic(folder_.path() / result, "x");
  }
  write_done_record(first, folder_.path(),
                    {.seconds = 12, .side_by_side = 1, .machine = "", .finished = "t"});
  EXPECT_TRUE(training().is_measured);
  EXPECT_NEAR(training().seconds_left, 12, 1e-9);
}

}  // namespace
}  // namespace cuset::study
