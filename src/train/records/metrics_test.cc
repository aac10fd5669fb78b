#include "train/records/metrics.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "support/fault_injection.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

class MetricsTest : public testing::Test {
 protected:
  void SetUp() override { base::set_log_level(base::LogLevel::kWarning); }
  void TearDown() override { base::set_log_level(base::LogLevel::kInfo); }

  std::string rows() const { return base::read_file(folder_ / "metrics.jsonl"); }
  size_t event_files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_ / "runs"), fs::directory_iterator()));
  }

  base::TemporaryFolder folder_;
};

using MetricsLogTest = MetricsTest;

TEST_F(MetricsLogTest, OneRecordGoesToRowsAndHistory) {
  MetricsLog log(folder_.path(), {.steps = 10});
  log.record(1, 0.5, {{"loss", 1.5}, {"lowest_window", "int i"}});
  log.record(2, 1.0, {{"eval_loss", std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_EQ(rows(),
            "{\"step\":1,\"epoch\":0.5,\"loss\":1.5,\"lowest_window\":\"int i\"}\n"
            "{\"step\":2,\"epoch\":1.0,\"eval_loss\":null}\n");
  EXPECT_EQ(base::to_json_line(log.history()),
            "[{\"loss\":1.5,\"epoch\":0.5,\"step\":1},{\"eval_loss\":null,\"epoch\":1.0,\"step\":2}]");
  EXPECT_EQ(event_files(), 1u);
}

TEST_F(MetricsLogTest, ResumeRemovesWhatTheCheckpointDoesNotKnow) {
  base::Json history;
  {
    MetricsLog log(folder_.path(), {});
    for (int step = 1; step <= 4; ++step) log.record(step, step * 0.25, {{"loss", 1.0 / step}});
    history = log.history();
  }
  MetricsLog log(folder_.path(), {.resume = MetricsResume{2, history}});
  EXPECT_EQ(rows(), "{\"step\":1,\"epoch\":0.25,\"loss\":1.0}\n{\"step\":2,\"epoch\":0.5,\"loss\":0.5}\n");
  EXPECT_EQ(log.history().size(), 2u);
  log.record(3, 0.75, {{"loss", 0.25}});
  EXPECT_EQ(rows().substr(rows().find("\"step\":3")), "\"step\":3,\"epoch\":0.75,\"loss\":0.25}\n");
  EXPECT_EQ(log.history().back()["step"], 3);
  EXPECT_EQ(event_files(), 2u);
}

TEST_F(MetricsLogTest, ResumeCutsATornRow) {
  base::write_file_atomic(folder_ / "metrics.jsonl", "{\"step\":1}\n{\"step\":2}\n{\"step\":3,\"lo");
  base::set_log_level(base::LogLevel::kSilent);
  const MetricsLog log(folder_.path(), {.resume = MetricsResume{1, base::Json::array()}});
  EXPECT_EQ(rows(), "{\"step\":1}\n");
}

TEST_F(MetricsLogTest, NewRunGoesOnBehindOlderRows) {
  base::write_file_atomic(folder_ / "metrics.jsonl", "{\"step\":9}\n");
  MetricsLog log(folder_.path(), {.tensorboard = false});
  log.record(1, 0, {{"loss", 1}});
  EXPECT_EQ(rows(), "{\"step\":9}\n{\"step\":1,\"epoch\":0.0,\"loss\":1}\n");
  EXPECT_FALSE(fs::exists(folder_ / "runs"));
}

TEST_F(MetricsLogTest, TwoRunsInOneFolderAreRefusedBeforeAnythingChanges) {
  MetricsLog log(folder_.path(), {});
  log.record(5, 0, {{"loss", 1}});
  const std::string before = rows();
  EXPECT_THROW(MetricsLog(folder_.path(), {.resume = MetricsResume{1, {}}}), base::Error);
  EXPECT_EQ(rows(), before);
}

TEST_F(MetricsLogTest, KilledWriterLeavesWholeRowsForTheNext) {
  for (uint32_t seed = 0; seed < 5; ++seed) {
    support::kill_at_random_moment(
        [&](const std::function<void()>& begun) {
          begun();
          MetricsLog log(folder_.path(), {.resume = MetricsResume{3, base::Json::array()}});
          for (int step = 4;; ++step) log.record(step, 0, {{"loss", 0.123456789}});
        },
        seed, 3000);
    base::set_log_level(base::LogLevel::kSilent);
    const MetricsLog log(folder_.path(), {.resume = MetricsResume{3, base::Json::array()}});
    EXPECT_EQ(rows(), "");
  }
}

TEST(TensorBoardTag, FollowsHuggingFace) {
  EXPECT_EQ(tensorboard_tag("loss"), "train/loss");
  EXPECT_EQ(tensorboard_tag("eval_loss"), "eval/loss");
  EXPECT_EQ(tensorboard_tag("test_accuracy"), "test/accuracy");
  EXPECT_EQ(tensorboard_tag("evaluation"), "train/evaluation");
}

TEST(TerminalLine, ShowsNumbersAsPeopleReadThem) {
  EXPECT_EQ(terminal_line(10, 300, 0.1,
                          {{"loss", 1.23456},
                           {"learning_rate", 9.8e-5},
                           {"tokens_per_second", 12345},
                           {"gpu_memory_bytes", 1 << 30},
                           {"lowest_window", "text"},
                           {"eval_runtime", 65.0}}),
            "step 10/300  epoch 0.10  loss 1.235  learning_rate 9.8e-05  tokens_per_second 12.3 k  "
            "gpu_memory_bytes 1.00 GiB  eval_runtime 1m 05s");
  EXPECT_EQ(terminal_line(10, 0, 2, {{"loss", std::numeric_limits<double>::infinity()}}),
            "step 10  epoch 2.00  loss inf");
}

}  // namespace
}  // namespace cuset::train
