// What the judge does where its own machine is in the way: a lost GPU, answers that use up its time, names that macros
// hide, calls that the CPU executor lacks.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "judge/judge.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

// y = 3 x over 256 numbers.
std::string triple(const std::string& before = "", const std::string& after = "") {
  return R"(#include <cuda_runtime.h>
#include <unistd.h>
#include <cstdio>
__global__ void triple(const float* x, float* y) { y[threadIdx.x] = 3 * x[threadIdx.x]; }
int main(int count, char**) {
  float h[256];
  FILE* file = std::fopen("data/x.bin", "rb");
  if (!file || std::fread(h, 4, 256, file) != 256) return 1;
  std::fclose(file);
  )" + before +
         R"(
  float *x, *y;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  triple<<<1, 256>>>(x, y);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  file = std::fopen("data/y.bin", "wb");
  std::fwrite(h, 4, 256, file);
  std::fclose(file);
  )" + after +
         "\n}\n";
}

tasks::Task triple_task() {
  tasks::Task task;
  task.id = "triple";
  task.inputs = {{"x", tasks::NumberType::kFloat32, {256}, {}}};
  task.outputs = {{"y", tasks::NumberType::kFloat32, {256}, {1e-5, 1e-5}}};
  task.oracle.native = "map";
  task.oracle.parameters = {{"expression", "3 * x"}};
  return task;
}

// Compiles everything, and has lost its device.
class LostGpu : public execute::Executor {
 public:
  LostGpu() { base::write_file_atomic(folder_ / "program", "machine code"); }
  std::string name() const override { return "gpu"; }
  std::string description() const override { return "a lost GPU"; }
  execute::Build build(const std::filesystem::path&, const execute::BuildOptions&) override {
    execute::Build build;
    build.outcome = execute::Build::Outcome::kDone;
    build.folder = folder_.path();
    build.program = folder_ / "program";
    return build;
  }
  execute::Run run(const execute::Build&, const execute::RunOptions&) override {
    execute::Run run;
    run.outcome = execute::Run::Outcome::kDeviceLost;
    run.explanation = "the GPU does not work any more";
    return run;
  }

 private:
  base::TemporaryFolder folder_;
};

TEST(JudgeHost, ALostGpuEndsTheRunAndIsNoVerdict) {
  LostGpu executor;
  judge::Judge judge(executor, judge::JudgeSettings());
  try {
    judge.judge(triple_task(), triple());
    FAIL() << "a verdict";
  } catch (const base::Error& error) {
    EXPECT_NE(error.one_line().find("does not work any more"), std::string::npos) << error.one_line();
    EXPECT_NE(error.one_line().find("the same command"), std::string::npos) << error.one_line();
  }
}

class JudgeOnCpu : public WithCpuExecutor<testing::Test> {
 protected:
  judge::Verdict judge(const std::string& answer) {
    return judge::Judge(*executor_, settings_).judge(task_, answer);
  }

  judge::JudgeSettings settings_;
  tasks::Task task_ = triple_task();
};

TEST_F(JudgeOnCpu, ARightAnswerIsCorrect) {
  const judge::Verdict verdict = judge(triple());
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation;
}

// Every run stays below the limit of one, all together do not.
TEST_F(JudgeOnCpu, AnswersThatSleepUseUpTheirBudget) {
  task_.time_limit = 6;
  settings_.answer_seconds = 1;
  const judge::Verdict verdict = judge(triple("sleep(4);"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kTimeout) << verdict.explanation;
  EXPECT_LE(verdict.trials.size(), 4u);
}

TEST_F(JudgeOnCpu, AReachedCallThatTheExecutorLacksIsUnsupportedUnlessTheOutputIsAlreadyWrong) {
  const std::string lacking =
      "cudaMipmappedArray_t m; cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();"
      "cudaMallocMipmappedArray(&m, &f, make_cudaExtent(16, 16, 0), 3);";
  EXPECT_EQ(judge(triple(lacking)).outcome, judge::Outcome::kUnsupported);
  EXPECT_EQ(judge(triple("if (count > 5) {" + lacking + "}")).outcome, judge::Outcome::kCorrect);
  EXPECT_EQ(judge(triple("for (float& v : h) v += 1;", lacking)).outcome, judge::Outcome::kWrongOutput);
}

TEST_F(JudgeOnCpu, WrongOutputsAreExplainedByWhatTheChecksFound) {
  std::string racing = triple();
  racing.replace(racing.find("y[threadIdx.x] ="), 16, "y[0] =");
  const judge::Verdict verdict = judge(racing);
  EXPECT_EQ(verdict.outcome, judge::Outcome::kWrongOutput) << verdict.explanation;
  EXPECT_NE(verdict.explanation.find("; answer.cu:"), std::string::npos) << verdict.explanation;
}

// The CPU executor, whose compiler has no time left for programs without checks.
class OnlyChecked : public execute::Executor {
 public:
  explicit OnlyChecked(execute::Executor& with_checks) : with_checks_(with_checks) {}
  std::string name() const override { return with_checks_.name(); }
  std::string description() const override { return with_checks_.description(); }
  execute::Build build(const std::filesystem::path& source, const execute::BuildOptions& options) override {
    if (options.check) return with_checks_.build(source, options);
    execute::Build build;
    build.outcome = execute::Build::Outcome::kTimeout;
    build.messages = "the compiler was killed after 60 s";
    return build;
  }
  execute::Run run(const execute::Build& build, const execute::RunOptions& options) override {
    return with_checks_.run(build, options);
  }
  execute::Executor* checking_executor() override { return this; }

 private:
  execute::Executor& with_checks_;
};

// Its checked run took too long, so it is built once more; that must not end the judge's own run.
TEST_F(JudgeOnCpu, AnAnswerThatCannotBeBuiltASecondTimeHasAVerdictOfItsOwn) {
  OnlyChecked executor(*executor_);
  task_.time_limit = 8;
  const judge::Verdict verdict = judge::Judge(executor, settings_).judge(task_, triple("sleep(6);"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCompileError) << verdict.explanation;
  EXPECT_EQ(verdict.compiler_messages, "the compiler was killed after 60 s");
}

}  // namespace
}  // namespace cuset::tests
