// verify_all with the CPU executor: real compiler, real sandbox, tiny programs. Skipped where it cannot work.
#include "judge/results/verification.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/interrupt.h"
#include "base/json/jsonl.h"
#include "support/error_text.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

// y = factor * x + 1 over 256 numbers, by a kernel.
std::string program(const std::string& factor) {
  return R"(#include <cstdio>
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = )" +
         factor + R"(f * x[i] + 1.0f;
}
int main() {
  const int n = 256;
  static float host[n];
  FILE* file = std::fopen("data/x.bin", "rb");
  if (!file || std::fread(host, 4, n, file) != n) return 1;
  std::fclose(file);
  float *x, *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMemcpy(x, host, n * 4, cudaMemcpyHostToDevice);
  scale<<<n / 64, 64>>>(x, y, n);
  cudaMemcpy(host, y, n * 4, cudaMemcpyDeviceToHost);
  file = std::fopen("data/y.bin", "wb");
  std::fwrite(host, 4, n, file);
  std::fclose(file);
}
)";
}

tasks::Task task_named(const std::string& id, const std::string& factor) {
  return tasks::task_from_json(
      {{"id", id},
       {"kind", "program"},
       {"inputs", {{{"name", "x"}, {"type", "float32"}, {"shape", {256}}, {"domain", "normal"}}}},
       {"outputs", {{{"name", "y"}, {"type", "float32"}, {"shape", {256}}}}},
       {"oracle", {{"program", program(factor)}}}},
      "test");
}

// What is done, first by earlier runs and then after every verdict, which calls `on_verdict`.
class RecordedProgress : public base::ProgressSink {
 public:
  RecordedProgress(std::vector<size_t>& done, std::function<void()> on_verdict)
      : done_(done), on_verdict_(std::move(on_verdict)) {}

  void begin(uint64_t, uint64_t done) override { done_.push_back(done); }
  void add(uint64_t n) override {
    done_.push_back(done_.back() + n);
    if (on_verdict_) on_verdict_();
  }
  void set_note(std::string_view) override {}

 private:
  std::vector<size_t>& done_;
  std::function<void()> on_verdict_;
};

class Verification : public WithCpuExecutor<testing::Test> {
 protected:
  void prepare() override {
    plan_.folder = folder_ / "results";
    plan_.tasks = {task_named("double", "2.0"), task_named("triple", "3.0")};
    plan_.answers = {{"double", 0, "```cuda\n" + program("2.0") + "```", 70, "a:1"},
                     {"triple", 0, program("3.0"), -1, "a:2"},
                     {"double", 1, program("3.0"), -1, "a:3"},
                     {"double", 2, "Here it is:\n```cuda\n" + program("2.0") + "```", 80, "a:4"},
                     {"triple", 1, "I cannot do that.", -1, "a:5"},
                     {"triple", 2, "```cuda\n__global__ void k() { oops }\nint main() {}\n```", -1, "a:6"}};
    settings_.seed = 5;
    settings_.trials = 2;
  }

  // "double#0 correct" for each verdict, in order.
  std::vector<std::string> verify() {
    std::vector<std::string> outcomes;
    told_.clear();
    RecordedProgress progress(told_, on_verdict_);
    judge::Judge judge(*executor_, settings_);
    for (const judge::Verdict& verdict : judge::verify_all(plan_, judge, progress)) {
      outcomes.push_back(
          fmt::format("{}#{} {}", verdict.task, verdict.sample, judge::name_of(verdict.outcome)));
    }
    return outcomes;
  }

  size_t lines() const {
    base::JsonlReader reader(plan_.folder / "verdicts.jsonl");
    size_t count = 0;
    while (reader.next()) ++count;
    return count;
  }

  base::TemporaryFolder folder_;
  judge::JudgeSettings settings_;
  judge::VerificationPlan plan_;
  std::vector<size_t> told_;
  std::function<void()> on_verdict_;
  const std::vector<std::string> all_ = {"double#0 correct", "triple#0 correct", "double#1 wrong_output",
                                         "double#2 correct", "triple#1 no_code", "triple#2 compile_error"};
};

TEST_F(Verification, VerdictsComeInTheOrderOfTheAnswers) {
  EXPECT_EQ(verify(), all_);
  EXPECT_EQ(told_.front(), 0u);
  EXPECT_EQ(told_.back(), 6u);
  EXPECT_EQ(lines(), 6u);
  const base::Json summary = base::read_json_file(plan_.folder / "summary.json");
  EXPECT_EQ(summary["words"]["correct"], 3);
  EXPECT_EQ(summary["mean_tokens"], 75.0);
  EXPECT_NEAR(summary["function_pass"]["1"]["unbiased"]["value"].get<double>(), 0.5, 1e-12);
}

TEST_F(Verification, EqualProgramsAreJudgedOnceAndEachKeepsItsNumber) {
  plan_.answers = {plan_.answers[0], plan_.answers[3]};
  RecordedProgress progress(told_, nullptr);
  judge::Judge judge(*executor_, settings_);
  const std::vector<judge::Verdict> verdicts = judge::verify_all(plan_, judge, progress);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[1].sample, 2u);
  EXPECT_EQ(verdicts[1].tokens, 80);
  EXPECT_EQ(verdicts[1].seconds, verdicts[0].seconds) << "measured once";
}

TEST_F(Verification, AnInterruptedRunGoesOnWithoutDoubling) {
  plan_.workers = 1;
  {
    const base::InterruptGuard guard;
    on_verdict_ = [&] {
      if (!guard.is_requested()) std::raise(SIGINT);  // a second one would end the test
    };
    EXPECT_LT(verify().size(), 6u);
  }
  on_verdict_ = nullptr;
  const size_t before = lines();
  EXPECT_GE(before, 1u);
  EXPECT_EQ(verify(), all_);
  EXPECT_EQ(told_.front(), before);
  EXPECT_EQ(lines(), 6u);
  EXPECT_EQ(verify(), all_);
  EXPECT_EQ(told_, std::vector<size_t>{6}) << "nothing is left to do";
  EXPECT_EQ(lines(), 6u);
}

TEST_F(Verification, ATornLineCostsOneVerdict) {
  verify();
  const std::string whole = base::read_file(plan_.folder / "verdicts.jsonl");
  base::write_file_atomic(plan_.folder / "verdicts.jsonl", whole.substr(0, whole.size() - 20));
  EXPECT_EQ(verify(), all_);
  EXPECT_EQ(lines(), 6u);
}

TEST_F(Verification, MoreAnswersMayComeLater) {
  const std::vector<tasks::Answer> answers = plan_.answers;
  plan_.answers.resize(3);
  verify();
  plan_.answers = answers;
  EXPECT_EQ(verify(), all_);
  EXPECT_EQ(told_.front(), 4u) << "the fourth is the program of the first";
  EXPECT_EQ(lines(), 6u);
}

TEST_F(Verification, AFolderOfAnotherPlanIsRefused) {
  plan_.answers.resize(1);
  verify();
  settings_.seed = 6;
  EXPECT_NE(
      support::error_of([&] { verify(); }).find("holds verdicts of another run: seed is 5 there, now 6"),
      std::string::npos);
  settings_.seed = 5;
  plan_.tasks[1].time_limit = 30;
  EXPECT_NE(support::error_of([&] { verify(); }).find("tasks_hash is "), std::string::npos);
}

}  // namespace
}  // namespace cuset::tests
