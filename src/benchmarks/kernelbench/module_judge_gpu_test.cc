// Answers to KernelBench problems of the fixture on a real GPU. Skipped without a GPU, without the fixture, or without Python
// with PyTorch for CUDA.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/files/file.h"
#include "benchmarks/kernelbench/kernelbench.h"
#include "benchmarks/kernelbench/module_expected.h"
#include "benchmarks/kernelbench/module_judge.h"
#include "benchmarks/kernelbench/module_timing.h"
#include "support/kernelbench_answers.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

using tests::kernelbench_fixture_tasks;
using tests::written_answers;
using tests::WrittenAnswer;

TEST(WrittenKernelBenchAnswers, SayWhatIsToComeOut) {
  const std::vector<WrittenAnswer> answers = written_answers();
  EXPECT_GE(answers.size(), 25u);
  for (const WrittenAnswer& answer : answers) {
    EXPECT_TRUE(judge::outcome_named(answer.outcome)) << answer.file << ": " << answer.outcome;
    EXPECT_TRUE(judge::outcome_named(answer.timed)) << answer.file << ": " << answer.timed;
  }
}

class KernelBenchGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!execute::probe_gpu(0, execute::ProbeDepth::kDescribe).device) GTEST_SKIP() << "skipped: no GPU";
    tasks_ = kernelbench_fixture_tasks();
    if (tasks_.empty()) GTEST_SKIP() << "skipped: no GPU fixture: set CUSET_FIXTURES";
    try {
      settings_.python = judge::find_python(judge::PythonLibrary::kTorch);
      settings_.gpu = find_module_gpu(0);
    } catch (const base::Error& error) {
      GTEST_SKIP() << "skipped: no GPU Python: " << error.one_line();
    }
    settings_.limits = module_limits();
    settings_.data_limit = 128 << 20;
    settings_.seed = 17;
    for (const auto& [name, task] : tasks_) expected_[name];
  }

  // Answers that compute the right values are timed too, which finds out those that cheat with time.
  void judge(const WrittenAnswer& answer) {
    ModuleJudgeSettings settings = settings_;
    settings.timing = answer.outcome == "correct";
    const std::string& wanted = settings.timing ? answer.timed : answer.outcome;
    const tasks::Task& task = tasks_.at(answer.task);
    Shared& shared = expected_[answer.task];
    const judge::Verdict verdict = judge_module(settings, task, answer.code, [&]() -> const ModuleExpected& {
      std::call_once(shared.made,
                     [&] { shared.expected = std::make_unique<ModuleExpected>(settings, task); });
      return *shared.expected;
    });
    std::printf("%-70s %-14s %6.1f s, loaded in %5.1f s  %s\n", answer.file.c_str(),
                std::string(judge::name_of(verdict.outcome)).c_str(), verdict.seconds, verdict.build_seconds,
                verdict.explanation.c_str());
    if (verdict.timing)
      std::printf("    %.1f us, reference %.1f us, speedup %.2f\n", verdict.timing->median_us,
                  verdict.timing->reference_us, verdict.timing->speedup);
    EXPECT_EQ(judge::name_of(verdict.outcome), wanted)
        << answer.file << ": " << verdict.explanation << verdict.compiler_messages;
  }

  // Most of the time is spent in compilers: several at once.
  void judge_all(const std::vector<WrittenAnswer>& answers) {
    std::atomic<size_t> next = 0;
    std::vector<std::future<void>> workers;
    const unsigned most = std::clamp(std::thread::hardware_concurrency(), 2u, 18u);
    for (unsigned i = 0; i < most; ++i) {
      workers.push_back(std::async(std::launch::async, [&] {
        for (size_t at = next++; at < answers.size(); at = next++) judge(answers[at]);
      }));
    }
    for (std::future<void>& worker : workers) worker.get();
  }

  struct Shared {
    std::once_flag made;
    std::unique_ptr<ModuleExpected> expected;
  };

  std::map<std::string, tasks::Task> tasks_;
  std::map<std::string, Shared> expected_;  // one for each task, made before the threads
  ModuleJudgeSettings settings_;
};

TEST_F(KernelBenchGpu, AnswersAreJudgedAndTheRightOnesTimed) { judge_all(written_answers()); }

class TimesOnGpu : public KernelBenchGpu {
 protected:
  // One process after the other in one folder, so that only the first compiles.
  void measure(const std::string& name, const ModuleExpected& expected, int processes,
               std::vector<ModuleTimes>& measured) {
    const ModuleTimer timer(settings_, tasks_.at(name), expected);
    const base::TemporaryFolder folder;
    base::Json request = module_request(settings_, tasks_.at(name));
    request["model"] = "ModelNew";
    base::write_file_atomic(folder / "problem.py", tasks_.at(name).module);
    base::write_file_atomic(folder / "answer.py",
                            base::read_file("testdata/kernelbench/" + name + "/correct.py"));
    for (int i = 0; i < processes; ++i) {
      ModuleServer server(module_process(settings_, tasks_.at(name)), "model", folder.path(), request);
      ASSERT_TRUE(server.session().load()) << server.finish().result.dump();
      server.hold(execute::GpuQueue::Want::kShared);
      ASSERT_TRUE(server.session().construct(expected.inputs())) << server.finish().result.dump();
      ModuleTimes times = timer.measure_answer(server);
      add_ending(times, server.finish());
      const std::lock_guard lock(mutex_);
      measured.push_back(std::move(times));
    }
  }

  std::mutex mutex_;
};

// Twenty processes of one answer, without locked clocks. They start side by side and are timed one by one.
TEST_F(TimesOnGpu, RepeatWithinThreePercent) {
  const std::string name = "level1_23_Softmax";
  std::vector<ModuleTimes> measured;
  std::vector<std::future<void>> threads;
  const ModuleExpected expected(settings_, tasks_.at(name));
  const ModuleTimer own(settings_, tasks_.at(name), expected);
  for (int i = 0; i < 5; ++i)
    threads.push_back(std::async(std::launch::async, [&] { measure(name, expected, 4, measured); }));
  const ReferenceTimes reference = own.measure_reference();
  for (std::future<void>& thread : threads) thread.get();
  ASSERT_EQ(reference.eager.fault, "");
  ASSERT_EQ(measured.size(), 20u);
  std::printf("reference %.2f us, our clock adds %.1f us\n",
              timing_of(reference.eager, reference, {settings_, {}, false, 0}).median_us,
              reference.overhead_us);
  std::vector<double> medians;
  for (const ModuleTimes& times : measured) {
    ASSERT_EQ(times.fault, "");
    const judge::Timing timing = timing_of(times, reference, {settings_, {"softmax_kernel"}, true, 0});
    medians.push_back(timing.median_us);
    const ModuleCall& call = times.calls[times.counted[times.counted.size() / 2]];
    std::printf(
        "%.2f us (%.2f to %.2f); a call in the middle: device %.2f us, clock %.1f us, between %.1f us\n",
        timing.median_us, timing.low_us, timing.high_us, call.span_us(), call.wall_us, call.between_us);
  }
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  std::printf("largest / smallest: %.4f\n", *most / *least);
  EXPECT_LE(*most / *least, 1.03);
}

}  // namespace
}  // namespace cuset::benchmarks
