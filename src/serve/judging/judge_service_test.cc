#include "serve/judging/judge_service.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <future>

#include "base/files/temporary_folder.h"
#include "support/error_text.h"
#include "support/test_executor.h"

namespace cuset::serve {
namespace {

// Decides by the answer's text; nothing is compiled.
class ScriptedJudge : public judge::Judge {
 public:
  using Judge::Judge;
  std::atomic<int> judged = 0;
  std::atomic<int> forgotten = 0;
  std::promise<void> begun;
  std::shared_future<void> may_end;

  void forget(const tasks::Task& task) override {
    ++forgotten;
    Judge::forget(task);
  }

 protected:
  judge::Verdict judge_code(const tasks::Task&, const std::string& code) override {
    ++judged;
    if (code.find("fail") != std::string::npos) throw base::Error("the disk is full");
    if (code.find("slow") != std::string::npos) {
      begun.set_value();
      may_end.wait();
    }
    judge::Verdict verdict;
    verdict.outcome =
        code.find("right") != std::string::npos ? judge::Outcome::kCorrect : judge::Outcome::kWrongOutput;
    return verdict;
  }
};

JudgeJob job_with(const std::string& name) {
  return {"scan", "",
          "```cuda\n__global__ void " + name + "() {}\nint main() { " + name + "<<<1, 1>>>(); }\n```\n"};
}

class JudgeServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    made_ = tests::make_test_executor(false);
    if (!made_.executor) GTEST_SKIP() << "skipped: no executor here: " << made_.absent;
    judge_ = std::make_unique<ScriptedJudge>(*made_.executor, judge::JudgeSettings());
  }

  JudgeServiceOptions options() const {
    JudgeServiceOptions options;
    options.judge = judge_.get();
    options.tasks.resize(2);
    options.tasks[0].id = "scan";
    options.tasks[1].id = "cudabench/15";
    options.folder = folder_.path();
    options.workers = 2;
    options.most_waiting = 100;
    return options;
  }

  static void wait_for(JudgeService& service, const JudgeJob& job) {
    std::promise<void> done;
    service.watch(job.id(), [&] { done.set_value(); });
    done.get_future().wait();
  }

  base::TemporaryFolder folder_;
  tests::TestExecutor made_;
  std::unique_ptr<ScriptedJudge> judge_;
  Metrics metrics_;
};

TEST_F(JudgeServiceTest, AnswersGetTheirVerdictOnce) {
  JudgeService service(options(), metrics_);
  const std::vector<JudgeJob> jobs = {job_with("right"), job_with("wrong"), job_with("right")};
  EXPECT_TRUE(service.submit(jobs));
  for (const JudgeJob& job : jobs) wait_for(service, job);
  EXPECT_TRUE(service.submit(jobs));
  EXPECT_EQ(judge_->judged, 2);
  EXPECT_NE(service.find(jobs[0].id())->result.find("\"word\":\"correct\""), std::string::npos);
  EXPECT_NE(service.find(jobs[1].id())->result.find("\"word\":\"wrong_output\""), std::string::npos);
  EXPECT_NE(metrics_.text().find("cuset_verdicts_total{outcome=\"correct\"} 1"), std::string::npos);
}

TEST_F(JudgeServiceTest, MachineThatFailsIsNoVerdict) {
  JudgeService service(options(), metrics_);
  const std::vector<JudgeJob> jobs = {job_with("fail")};
  service.submit(jobs);
  wait_for(service, jobs[0]);
  EXPECT_EQ(service.find(jobs[0].id())->state, JudgeJobState::kFailed);
  EXPECT_EQ(service.find(jobs[0].id())->result, "the disk is full");
}

// As a full disk does: no file of this process grows while it lives.
class NoFileGrows {
 public:
  NoFileGrows() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoFileGrows() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(JudgeServiceTest, QueueThatCannotBeWrittenEndsJudgingAndKeepsTheAnswer) {
  std::promise<void> may_end;
  std::promise<std::string> failed;
  judge_->may_end = may_end.get_future().share();
  JudgeServiceOptions one = options();
  one.workers = 1;
  one.on_failure = [&](const std::string& reason) { failed.set_value(reason); };
  const JudgeJob job = job_with("slow");
  {
    JudgeService service(one, metrics_);
    service.submit(std::vector{job});
    judge_->begun.get_future().wait();
    const NoFileGrows full;
    may_end.set_value();
    EXPECT_NE(failed.get_future().get().find("queue.sqlite"), std::string::npos);
  }
  judge_->begun = std::promise<void>();
  JudgeService next(options(), metrics_);
  wait_for(next, job);
  EXPECT_EQ(next.find(job.id())->state, JudgeJobState::kDone);
}

TEST_F(JudgeServiceTest, WaitingAnswersStayForTheNextServer) {
  std::promise<void> may_end;
  judge_->may_end = may_end.get_future().share();
  const std::vector<JudgeJob> jobs = {job_with("slow"), job_with("right1"), job_with("right2")};
  {
    JudgeServiceOptions one = options();
    one.workers = 1;
    JudgeService service(one, metrics_);
    service.submit(jobs);
    judge_->begun.get_future().wait();
    EXPECT_EQ(service.running(), 1U);
    service.cancel(jobs[1].id());
    EXPECT_EQ(service.find(jobs[1].id())->state, JudgeJobState::kCanceled);
    service.stop_taking();
    may_end.set_value();
  }
  EXPECT_EQ(judge_->judged, 1);
  JudgeService service(options(), metrics_);
  wait_for(service, jobs[2]);
  EXPECT_EQ(judge_->judged, 2) << "the canceled one is gone, the finished one stays";
  EXPECT_EQ(service.find(jobs[0].id())->state, JudgeJobState::kDone);
}

TEST_F(JudgeServiceTest, CanceledWhileItIsJudgedItHasNoVerdict) {
  std::promise<void> may_end;
  judge_->may_end = may_end.get_future().share();
  JudgeService service(options(), metrics_);
  const std::vector<JudgeJob> jobs = {job_with("slow_right")};
  service.submit(jobs);
  judge_->begun.get_future().wait();
  service.cancel(jobs[0].id());
  EXPECT_EQ(service.find(jobs[0].id())->state, JudgeJobState::kRunning);
  may_end.set_value();
  wait_for(service, jobs[0]);
  EXPECT_EQ(service.find(jobs[0].id())->state, JudgeJobState::kCanceled);
  EXPECT_EQ(metrics_.text().find("cuset_verdicts_total{"), std::string::npos);
}

JudgeJob remarked(const std::string& remark, const JudgeJob& job) {
  return {job.task, job.inline_task, remark + "\n\n" + job.answer};
}

TEST_F(JudgeServiceTest, EqualProgramsAreJudgedOnce) {
  const JudgeJob first = job_with("right"), later = remarked("With thanks.", first);
  {
    JudgeService service(options(), metrics_);
    service.submit(std::vector{first});
    wait_for(service, first);
    service.submit(std::vector{later, job_with("wrong")});
    wait_for(service, later);
    wait_for(service, job_with("wrong"));
    EXPECT_EQ(service.find(later.id())->result, service.find(first.id())->result);
  }
  EXPECT_EQ(judge_->judged, 2);
  EXPECT_NE(metrics_.text().find("cuset_verdicts_total{outcome=\"correct\"} 2"), std::string::npos);
  JudgeService again(options(), metrics_);
  const JudgeJob last = remarked("After a restart.", first);
  again.submit(std::vector{last});
  wait_for(again, last);
  EXPECT_EQ(judge_->judged, 2);
}

TEST_F(JudgeServiceTest, WhoComesMeanwhileSharesTheVerdictOrCancelsAlone) {
  std::promise<void> may_end;
  judge_->may_end = may_end.get_future().share();
  JudgeService service(options(), metrics_);
  const JudgeJob first = job_with("slow_right"), second = remarked("2", first), third = remarked("3", first);
  const JudgeJob other = job_with("right");
  service.submit(std::vector{first});
  judge_->begun.get_future().wait();
  service.submit(std::vector{second, third, other});
  wait_for(service, other);  // the second worker took the two before it
  EXPECT_EQ(service.find(second.id())->state, JudgeJobState::kRunning);
  service.cancel(third.id());
  EXPECT_EQ(service.find(third.id())->state, JudgeJobState::kCanceled);
  may_end.set_value();
  wait_for(service, second);
  EXPECT_EQ(service.find(second.id())->state, JudgeJobState::kDone);
  EXPECT_EQ(service.find(third.id())->state, JudgeJobState::kCanceled);
  EXPECT_EQ(judge_->judged, 2);
}

TEST_F(JudgeServiceTest, WhoWaitsForACanceledProgramIsJudgedItself) {
  std::promise<void> may_end;
  judge_->may_end = may_end.get_future().share();
  JudgeService service(options(), metrics_);
  const JudgeJob first = job_with("slow_right"), second = remarked("2", first), other = job_with("right");
  service.submit(std::vector{first});
  judge_->begun.get_future().wait();
  service.submit(std::vector{second, other});
  wait_for(service, other);
  judge_->begun = std::promise<void>();
  service.cancel(first.id());
  may_end.set_value();
  wait_for(service, second);
  EXPECT_EQ(service.find(first.id())->state, JudgeJobState::kCanceled);
  EXPECT_EQ(service.find(second.id())->state, JudgeJobState::kDone);
  EXPECT_EQ(judge_->judged, 3);
}

TEST_F(JudgeServiceTest, LargeTasksThatComeWithAnswersAreNotAllKept) {
  const auto job_of = [](int number, int64_t elements) {
    const base::Json output = {{"name", "y"}, {"type", "float32"}, {"shape", {elements}}};
    const base::Json task = {{"id", fmt::format("t{}", number)},
                             {"outputs", base::Json::array({output})},
                             {"oracle", {{"program", "int main() {}"}}}};
    return JudgeJob{"t", base::to_json_line(task), job_with(fmt::format("right{}", number)).answer};
  };
  JudgeServiceOptions one = options();
  one.workers = 1;
  JudgeService service(one, metrics_);
  for (int i = 0; i < 4; ++i) {
    const JudgeJob job = job_of(i, i < 2 ? 1000 : int64_t{60} << 20);  // the latter 240 MiB in each trial
    service.submit(std::vector{job});
    wait_for(service, job);
    EXPECT_EQ(service.find(job.id())->state, JudgeJobState::kDone) << service.find(job.id())->result;
    EXPECT_EQ(judge_->forgotten, i < 2 ? 0 : i) << "only the last one fits beside nothing else";
  }
}

TEST_F(JudgeServiceTest, TasksAreFoundByTheNamesOfVerify) {
  JudgeService service(options(), metrics_);
  std::vector<JudgeJob> jobs = {{"scan", "", "a"}, {"15", "", "a"}, {"any", "{}", "a"}, {"15", "", "b"}};
  service.find_tasks(jobs);
  EXPECT_EQ(jobs[0].task, "scan");
  EXPECT_EQ(jobs[1].task, "cudabench/15");
  EXPECT_EQ(jobs[2].task, "any") << "it brings its task";
  EXPECT_EQ(jobs[3].task, "cudabench/15");
  jobs[0].task = "scam";
  EXPECT_NE(support::error_of([&] { service.find_tasks(jobs); }).find("scan"), std::string::npos);
}

TEST_F(JudgeServiceTest, FolderOfOtherTasksIsRefused) {
  {
    JudgeService service(options(), metrics_);
  }
  JudgeServiceOptions other = options();
  other.tasks[0].id = "sort";
  EXPECT_THROW(JudgeService(other, metrics_), base::Error);
}

}  // namespace
}  // namespace cuset::serve
