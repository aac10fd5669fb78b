#include "serve/judging/judge_queue.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::serve {
namespace {

class JudgeQueueTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "queue.sqlite"; }
  base::TemporaryFolder folder_;
};

JudgeJob job(const std::string& answer) { return {"scan", "", answer}; }

TEST_F(JudgeQueueTest, IdNamesTaskAndAnswer) {
  EXPECT_EQ(job("a").id(), job("a").id());
  EXPECT_EQ(job("a").id().size(), 32U);
  EXPECT_NE(job("a").id(), job("b").id());
  EXPECT_NE((JudgeJob{"ab", "", "c"}.id()), (JudgeJob{"a", "", "bc"}.id()));
  EXPECT_NE((JudgeJob{"a", "{}", ""}.id()), (JudgeJob{"a", "", "{}"}.id()));
}

TEST_F(JudgeQueueTest, JobsAreTakenInOrderAndKeepTheirResult) {
  JudgeQueue queue(file());
  const std::vector<JudgeJob> jobs = {job("one"), job("two \0 three"), job("one")};
  EXPECT_TRUE(queue.add(jobs, 10));
  EXPECT_EQ(queue.waiting(), 2U) << "equal answers are one job";
  EXPECT_EQ(queue.take()->answer, "one");
  EXPECT_EQ(queue.find(jobs[0].id())->state, JudgeJobState::kRunning);
  const std::string first = jobs[0].id();
  queue.finish({&first, 1}, "p1", R"({"word":"correct"})");
  EXPECT_EQ(queue.find(jobs[0].id())->result, R"({"word":"correct"})");
  EXPECT_TRUE(queue.add(jobs, 10));
  EXPECT_EQ(queue.waiting(), 1U) << "what is done stays done";
  EXPECT_EQ(queue.take()->answer, jobs[1].answer);
  EXPECT_FALSE(queue.take());
  EXPECT_FALSE(queue.find("nobody"));
}

TEST_F(JudgeQueueTest, UnfinishedJobsWaitAgainAfterARestart) {
  {
    JudgeQueue queue(file());
    const std::vector<JudgeJob> jobs = {job("1"), job("2"), job("3")};
    queue.add(jobs, 10);
    const std::string first = queue.take()->id();
    queue.finish({&first, 1}, "p1", R"({"word":"crash"})");
    queue.take();  // and the server is killed
  }
  JudgeQueue queue(file());
  EXPECT_EQ(queue.waiting(), 2U);
  EXPECT_EQ(queue.find(job("1").id())->state, JudgeJobState::kDone);
  EXPECT_EQ(queue.take()->answer, "2");
  EXPECT_EQ(queue.take()->answer, "3");
}

TEST_F(JudgeQueueTest, FailedJobsWaitAgainWhenTheyAreSentAgain) {
  JudgeQueue queue(file());
  const std::vector<JudgeJob> jobs = {job("1")};
  queue.add(jobs, 10);
  queue.take();
  queue.fail(jobs[0].id(), "no disk");
  EXPECT_EQ(queue.find(jobs[0].id())->state, JudgeJobState::kFailed);
  EXPECT_EQ(queue.find(jobs[0].id())->result, "no disk");
  queue.add(jobs, 10);
  EXPECT_EQ(queue.find(jobs[0].id())->state, JudgeJobState::kWaiting);
  EXPECT_EQ(queue.take()->answer, "1");
}

TEST_F(JudgeQueueTest, OnlyWaitingJobsAreCanceled) {
  JudgeQueue queue(file());
  const std::vector<JudgeJob> jobs = {job("1"), job("2")};
  queue.add(jobs, 10);
  queue.take();
  EXPECT_FALSE(queue.cancel(jobs[0].id()));
  EXPECT_TRUE(queue.cancel(jobs[1].id()));
  EXPECT_EQ(queue.find(jobs[1].id())->state, JudgeJobState::kCanceled);
  EXPECT_FALSE(queue.take());
  queue.finish_canceled(jobs[0].id());
  EXPECT_EQ(queue.find(jobs[0].id())->state, JudgeJobState::kCanceled);
  EXPECT_EQ(queue.running(), 0U);
  queue.add(jobs, 10);
  EXPECT_EQ(queue.waiting(), 2U) << "what is sent again is wanted again";
}

TEST_F(JudgeQueueTest, VerdictsAreFoundByTheirProgram) {
  const std::vector<JudgeJob> jobs = {job("1"), job("2"), job("3")};
  {
    JudgeQueue queue(file());
    queue.add(jobs, 10);
    queue.take();
    queue.take();
    EXPECT_FALSE(queue.verdict_on("p1"));
    const std::vector<std::string> both = {jobs[0].id(), jobs[1].id()};
    queue.finish(both, "p1", R"({"word":"correct"})");
    EXPECT_EQ(queue.running(), 0U);
  }
  const JudgeQueue queue(file());
  EXPECT_EQ(queue.verdict_on("p1"), R"({"word":"correct"})");
  EXPECT_EQ(queue.find(jobs[1].id())->state, JudgeJobState::kDone);
  EXPECT_FALSE(queue.verdict_on("p2"));
  EXPECT_FALSE(queue.verdict_on("")) << "unknown programs are not equal";
}

// As the first version made it.
TEST_F(JudgeQueueTest, QueueWithoutProgramsIsRead) {
  {
    sqlite3* made = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &made), SQLITE_OK);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(made, sqlite3_close);
    const std::string sql =
        "CREATE TABLE jobs (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, "
        "inline_task TEXT NOT NULL, answer TEXT NOT NULL, state TEXT NOT NULL, result TEXT NOT NULL); "
        "INSERT INTO jobs (id, task, inline_task, answer, state, result) VALUES ('" +
        job("1").id() + "', 'scan', '', '1', 'waiting', ''); PRAGMA user_version = 1";
    ASSERT_EQ(sqlite3_exec(made, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  }
  for (int i = 0; i < 2; ++i) {
    JudgeQueue queue(file());
    EXPECT_EQ(queue.take()->answer, "1");
  }
}

TEST_F(JudgeQueueTest, NamesOutliveTheServer) {
  {
    JudgeQueue queue(file());
    const std::vector<JudgeJob> jobs = {{"scan", "", "1", "mine"}, {"scan", "", "2", "yours"}};
    queue.add(jobs, 10);
    queue.add({{{"scan", "", "3", "yours"}}}, 10);
  }
  const JudgeQueue queue(file());
  EXPECT_EQ(queue.id_named("mine"), job("1").id());
  EXPECT_EQ(queue.id_named("yours"), job("3").id()) << "the last job of that name";
  EXPECT_FALSE(queue.id_named("nobody's"));
}

TEST_F(JudgeQueueTest, TooManyAreRefusedWhole) {
  JudgeQueue queue(file());
  const std::vector<JudgeJob> jobs = {job("1"), job("2"), job("3")};
  EXPECT_FALSE(queue.add(jobs, 2));
  EXPECT_EQ(queue.waiting(), 0U);
  EXPECT_TRUE(queue.add(jobs, 3));
}

TEST_F(JudgeQueueTest, SecondServerAndForeignFilesAreRefused) {
  {
    const JudgeQueue first(file());
    const std::string message = support::error_of([&] { JudgeQueue second(file()); });
    EXPECT_NE(message.find("another server has it open"), std::string::npos) << message;
  }
  base::write_file_atomic(folder_ / "other.sqlite", std::string(5000, 'x'));
  EXPECT_NE(support::error_of([&] { JudgeQueue queue(folder_ / "other.sqlite"); }), "no error");
  EXPECT_NE(support::error_of([&] { JudgeQueue queue(folder_ / "no_such_folder" / "q"); }), "no error");
}

}  // namespace
}  // namespace cuset::serve
