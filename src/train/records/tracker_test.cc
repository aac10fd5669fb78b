#include "train/records/tracker.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/files/temporary_folder.h"
#include "support/error_text.h"
#include "support/scoped_variable.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

// A module named mlflow that writes its calls to a file: what goes through the channel, without the package.
// tests/interop/trackers_against_packages.py uses the packages themselves.
constexpr const char* kRecordingModule = R"PYTHON(
import os, types
def tell(*what):
    with open(os.environ["CALLS"], "a") as file: print(*what, file=file)
def set_experiment(name): tell("experiment", name)
def start_run(run_id, run_name):
    tell("start", run_id, run_name)
    return types.SimpleNamespace(info=types.SimpleNamespace(run_id="id-1"))
def log_params(values): tell("params", values)
def log_metrics(values, step):
    tell("metrics", step, values)
    if step == 99: os._exit(3)
def end_run(): tell("end")
)PYTHON";

class TrackerTest : public testing::Test {
 protected:
  void SetUp() override { base::write_file_atomic(modules_ / "mlflow.py", kRecordingModule); }
  std::string calls() const { return base::read_file(folder_.path() / "calls"); }

  base::TemporaryFolder folder_;
  fs::path modules_ = folder_.path();
  support::ScopedVariable path_{"PYTHONPATH", modules_.string()};
  support::ScopedVariable file_{"CALLS", (folder_.path() / "calls").string()};
  support::ScopedVariable name_{"MLFLOW_EXPERIMENT_NAME", "kernels"};
};

TEST_F(TrackerTest, HandsOverSettingsAndFiniteMetrics) {
  base::write_file_atomic(folder_.path() / "run.json",
                          R"({"settings": {"learning_rate": {"value": 0.5, "origin": "default"}}})");
  {
    Tracker tracker("mlflow", {.folder = folder_.path()});
    tracker.record(1, {{"train/loss", 2.5}, {"train/grad_norm", std::numeric_limits<double>::infinity()}});
    tracker.record(2, {{"eval/loss", 2}});
  }
  EXPECT_EQ(calls(), "experiment kernels\nstart None " + folder_.path().string() +
                         "\nparams {'learning_rate': '0.5'}\nmetrics 1 {'train/loss': 2.5}\n"
                         "metrics 2 {'eval/loss': 2.0}\nend\n");
}

TEST_F(TrackerTest, AResumedRunContinuesUnderItsId) {
  {
    const Tracker first("mlflow", {.folder = folder_.path()});
  }
  fs::remove(folder_.path() / "calls");
  {
    const Tracker second("mlflow", {.folder = folder_.path(), .resumes = true});
  }
  EXPECT_EQ(calls(), "experiment kernels\nstart id-1 None\nend\n");
}

TEST_F(TrackerTest, ATrackerThatDiesDoesNotEndTheRun) {
  Tracker tracker("mlflow", {.folder = folder_.path()});
  for (int64_t step = 99; step < 2000; ++step) tracker.record(step, {{"train/loss", 1}});
  EXPECT_EQ(calls().find("metrics 100"), std::string::npos);
}

TEST(Trackers, WhatIsMissingIsSaidWithARemedy) {
  check_trackers({});
  const std::string no_module = support::error_of([] { check_trackers({"no_such_tracker"}); });
  EXPECT_NE(no_module.find("has no module no_such_tracker"), std::string::npos) << no_module;
  EXPECT_NE(no_module.find("pip install no_such_tracker"), std::string::npos) << no_module;
  const support::ScopedVariable python("CUSET_PYTHON", "/no/such/python");
  const std::string no_python = support::error_of([] { check_trackers({"wandb"}); });
  EXPECT_EQ(no_python.find("cannot start /no/such/python: No such file or directory"), 0u) << no_python;
}

}  // namespace
}  // namespace cuset::train
