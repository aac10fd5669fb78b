// The judge with the real CPU executor: every word it can speak, on small tasks. Skipped where the executor
// cannot work.
#include "judge/judge.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/error.h"
#include "base/files/scratch_file.h"
#include "base/files/temporary_folder.h"
#include "base/interrupt.h"
#include "emulator/toolchain.h"
#include "judge/programs/program_rules.h"
#include "support/scoped_variable.h"

namespace cuset::tests {
namespace {

// y = 2 x + 1 over 1,000 numbers, by a program. LAUNCH, BODY and AFTER are where the answers differ.
std::string program(const std::string& body, const std::string& launch = "affine<<<4, 256>>>(x, y, n);",
                    const std::string& after = "") {
  return R"(#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void affine(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { )" +
         body + R"( }
}

int main() {
  const int n = 1000;
  std::vector<float> h(n);
  FILE* file = std::fopen("data/x.bin", "rb");
  if (!file || std::fread(h.data(), 4, n, file) != n) return 1;
  std::fclose(file);
  float *x, *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice);
  )" + launch +
         R"(
  cudaMemcpy(h.data(), y, n * 4, cudaMemcpyDeviceToHost);
  )" + after +
         R"(
  file = std::fopen("data/y.bin", "wb");
  std::fwrite(h.data(), 4, h.size(), file);
  std::fclose(file);
}
)";
}

const std::string kRight = "y[i] = 2 * x[i] + 1;";

class JudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    execute::ExecutorSettings settings;
    settings.cache = cache().path();
    try {
      executor_ = execute::make_cpu_executor(settings);
    } catch (const base::Error& error) {
      GTEST_SKIP() << error.one_line();
    }
    task_.id = "affine";
    task_.family = "affine";
    task_.inputs = {{"x", tasks::NumberType::kFloat32, {1000}, {}}};
    task_.outputs = {{"y", tasks::NumberType::kFloat32, {1000}, {1e-5, 1e-5}}};
    task_.oracle.program = program(kRight);
    task_.time_limit = 20;
    settings_.seed = 11;
  }

  // One for all tests: most compile the same programs.
  static const base::TemporaryFolder& cache() {
    static const base::TemporaryFolder folder;
    return folder;
  }

  judge::Verdict judge(const std::string& answer) {
    return judge::Judge(*executor_, settings_).judge(task_, answer);
  }

  judge::Outcome outcome_of(const std::string& answer) { return judge(answer).outcome; }

  std::unique_ptr<execute::Executor> executor_;
  judge::JudgeSettings settings_;
  tasks::Task task_;
};

TEST_F(JudgeTest, ARightAnswerIsCorrectOnEveryVariation) {
  const judge::Verdict verdict = judge(program("y[i] = x[i] + x[i] + 1;"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation;
  ASSERT_EQ(verdict.trials.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(verdict.trials[i].variation, static_cast<tasks::Variation>(i));
  EXPECT_EQ(verdict.reward.compiled, 1);
  EXPECT_EQ(verdict.reward.launched, 1);
  EXPECT_EQ(verdict.reward.fraction_right, 1);
  EXPECT_EQ(verdict.kernels, std::vector<std::string>{"affine"});
  EXPECT_EQ(verdict.executor, "cpu");
  EXPECT_EQ(verdict.code_hash.size(), 64u);
}

TEST_F(JudgeTest, ProseAroundTheCodeIsNoMatter) {
  EXPECT_EQ(outcome_of("Here it is:\n```cuda\n" + program(kRight) + "```\nEnjoy."), judge::Outcome::kCorrect);
  EXPECT_EQ(outcome_of("I would rather not."), judge::Outcome::kNoCode);
  EXPECT_EQ(outcome_of(""), judge::Outcome::kNoCode);
}

TEST_F(JudgeTest, AWrongAnswerShowsWhereAndOnWhat) {
  const judge::Verdict verdict = judge(program("y[i] = i == 17 ? 5 : 2 * x[i] + 1;"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kWrongOutput);
  ASSERT_EQ(verdict.trials.size(), 5u);
  const judge::OutputComparison& output = verdict.trials[0].outputs[0];
  EXPECT_EQ(output.wrong, 1u);
  EXPECT_EQ(output.first[0].index, 17u);
  EXPECT_EQ(output.first[0].got, 5);
  EXPECT_EQ(output.first[0].inputs.substr(0, 11), "x[15..19] =");
  EXPECT_NE(verdict.explanation.find("y[17] is 5, wanted "), std::string::npos) << verdict.explanation;
  EXPECT_DOUBLE_EQ(verdict.reward.fraction_right, 0.999);
}

TEST_F(JudgeTest, AnAnswerThatIsWrongOnlyForLargeValuesIsWrong) {
  const judge::Verdict verdict = judge(program("y[i] = x[i] > 4.0f ? 0 : 2 * x[i] + 1;"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kWrongOutput);
  EXPECT_EQ(verdict.trials[0].outcome, judge::Outcome::kCorrect);
  EXPECT_EQ(verdict.trials[3].variation, tasks::Variation::kHeavyTailed);
  EXPECT_EQ(verdict.trials[3].outcome, judge::Outcome::kWrongOutput);
}

TEST_F(JudgeTest, TheCompilersMessageIsKept) {
  const judge::Verdict verdict = judge(program("y[i] = two * x[i];"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCompileError);
  EXPECT_NE(verdict.explanation.find("two"), std::string::npos) << verdict.explanation;
  EXPECT_EQ(verdict.compiler_messages.substr(0, 9), "answer.cu") << verdict.compiler_messages;
  EXPECT_EQ(verdict.reward.compiled, 0);
  EXPECT_EQ(outcome_of("__device__ void f();\n__global__ void k() {}\nint g();\nint main() { return g(); }"),
            judge::Outcome::kLinkError);
}

TEST_F(JudgeTest, ACompilerThatWasInterruptedGivesNoVerdict) {
  const base::InterruptGuard guard("");
  std::raise(SIGINT);
  EXPECT_THROW(judge(program("y[i] = x[i] * 2 + 1; // not compiled before")), judge::JudgeInterrupted);
}

TEST_F(JudgeTest, OutputsOfAnotherSizeAreOfTheWrongShape) {
  EXPECT_EQ(outcome_of(program(kRight, "affine<<<4, 256>>>(x, y, n);", "h.pop_back();")),
            judge::Outcome::kWrongShape);
  EXPECT_EQ(outcome_of(program(kRight, "affine<<<4, 256>>>(x, y, n);", "h.push_back(0);")),
            judge::Outcome::kWrongShape);
  EXPECT_EQ(outcome_of(program(kRight, "return 0;")), judge::Outcome::kWrongShape);
}

TEST_F(JudgeTest, RunsThatEndBadlyHaveTheirWord) {
  EXPECT_EQ(outcome_of(program(kRight, "affine<<<4, 4096>>>(x, y, n);")), judge::Outcome::kLaunchError);
  EXPECT_EQ(outcome_of(program(kRight, "std::abort();")), judge::Outcome::kCrash);
  EXPECT_EQ(outcome_of(program(kRight, "return 3;")), judge::Outcome::kCrash);
  task_.time_limit = 1;
  EXPECT_EQ(outcome_of(program(kRight, "for (volatile int spin = 1; spin;) {}")), judge::Outcome::kTimeout);
}

TEST_F(JudgeTest, AProgramMayCountOnAProcessOfItsOwn) {
  EXPECT_EQ(outcome_of(program(kRight, "affine<<<4, 256>>>(x, y, n);", "atexit([] {});") + "\n"),
            judge::Outcome::kCorrect);
  const std::string once = "static int calls = 0; if (calls++ > 0) return 5; affine<<<4, 256>>>(x, y, n);";
  EXPECT_EQ(outcome_of(program(kRight, once)), judge::Outcome::kCorrect);
  const std::string leaves =
      "affine<<<4, 256>>>(x, y, n); cudaMemcpy(h.data(), y, n * 4, cudaMemcpyDeviceToHost);"
      "file = std::fopen(\"data/y.bin\", \"wb\"); std::fwrite(h.data(), 4, n, file); std::fclose(file);"
      "std::exit(0);";
  EXPECT_EQ(outcome_of(program(kRight, leaves)), judge::Outcome::kCorrect);
}

TEST_F(JudgeTest, AProgramThatLaunchesNothingHasNoKernel) {
  EXPECT_EQ(outcome_of(program(kRight, "", "for (int i = 0; i < n; ++i) h[i] = 2 * h[i] + 1;")),
            judge::Outcome::kWrongOutput);  // it copies back what nobody wrote, then computes from that
  EXPECT_EQ(outcome_of(program(kRight, "cudaMemcpy(y, x, n * 4, cudaMemcpyDeviceToDevice);",
                               "for (int i = 0; i < n; ++i) h[i] = 2 * h[i] + 1;")),
            judge::Outcome::kNoKernel);
}

TEST_F(JudgeTest, ADecoyKernelDoesNotCount) {
  const std::string decoy = "affine<<<4, 256>>>(x, y, n); cudaMemcpy(y, x, n * 4, cudaMemcpyDeviceToDevice);";
  const judge::Verdict verdict =
      judge(program(kRight, decoy, "for (int i = 0; i < n; ++i) h[i] = 2 * h[i] + 1;"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kHostWork);
  EXPECT_TRUE(verdict.explanation.starts_with("the host was given ")) << verdict.explanation;
  EXPECT_EQ(verdict.reward.launched, 0);
}

// The library's kernel does the work; the answer's own, which even has the same name, is for show, or does a part of it.
TEST_F(JudgeTest, KernelsOfALibraryAreNotTheAnswersOwn) {
  const std::string library = R"(namespace cub {
__global__ void affine(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 1;
}
}  // namespace cub
)";
  const std::string by_library = "cub::affine<<<4, 256>>>(x, y, n);";
  const judge::Verdict decoy =
      judge(library + program("if (n < 0) y[i] = 0;", by_library + "affine<<<4, 256>>>(x, y, n);"));
  EXPECT_EQ(decoy.outcome, judge::Outcome::kNoKernel) << decoy.explanation;
  // A host that looks whether its kernels work learns nothing by it.
  const judge::Verdict wary = judge(
      library +
      program(
          "if (n < 0) y[i] = 0; if (n == 1) y[i] = 5;", by_library,
          "float probe = 0; affine<<<1, 1>>>(x, y, 1); cudaMemcpy(&probe, y, 4, cudaMemcpyDeviceToHost); if (probe != 5) h[0] = 7;"));
  EXPECT_EQ(wary.outcome, judge::Outcome::kNoKernel) << wary.explanation;
  const judge::Verdict part = judge(
      library +
      program(kRight, "cub::affine<<<2, 256>>>(x + 500, y + 500, n - 500); affine<<<2, 256>>>(x, y, 500);"));
  EXPECT_EQ(part.outcome, judge::Outcome::kCorrect) << part.explanation;
  EXPECT_EQ(outcome_of(library + program("", by_library)), judge::Outcome::kNoKernel);
}

TEST_F(JudgeTest, KernelsOfMacrosAreTheAnswersOwn) {
  const std::string made = R"(#define MAKE(name) \
  __global__ void name(const float* x, float* y, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < n) y[i] = 2 * x[i] + 1; \
  }
MAKE(made)
)";
  for (const char* launch :
       {"affine<<<1, 1>>>(x, y, 0); made<<<4, 256>>>(x, y, n);", "made<<<4, 256>>>(x, y, n);"}) {
    const judge::Verdict verdict = judge(made + program("", launch));
    EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation;
  }
}

TEST_F(JudgeTest, MemoryThatNobodyWroteIsNoWork) {
  // Unwritten bytes are 255 here, the right value of two pixels in three.
  tasks::Domain pixels;
  pixels.kind = tasks::Domain::Kind::kInteger;
  pixels.low = 0;
  pixels.high = 256;
  task_.inputs = {{"x", tasks::NumberType::kUint8, {4000}, pixels}};
  task_.outputs = {{"y", tasks::NumberType::kUint8, {4000}, {}}};
  task_.oracle.program = R"(#include <cuda_runtime.h>
#include <cstdio>
__global__ void threshold(const unsigned char* x, unsigned char* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 81 ? 255 : 0;
}
int main() {
  const int n = 4000;
  static unsigned char h[n];
  FILE* file = std::fopen("data/x.bin", "rb");
  if (!file || std::fread(h, 1, n, file) != n) return 1;
  std::fclose(file);
  unsigned char *x, *y;
  cudaMalloc(&x, n);
  cudaMalloc(&y, n);
  cudaMemcpy(x, h, n, cudaMemcpyHostToDevice);
  threshold<<<16, 256>>>(x, y, n);
  cudaMemcpy(h, y, n, cudaMemcpyDeviceToHost);
  file = std::fopen("data/y.bin", "wb");
  std::fwrite(h, 1, n, file);
  std::fclose(file);
}
)";
  const judge::Verdict verdict = judge(task_.oracle.program);
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation;
}

// Computed by the host; from the second call on, as if it had noticed a proof, thrown away.
TEST_F(JudgeTest, CountingCallsDoesNotFakeWork) {
  const std::string decoy = "affine<<<4, 256>>>(x, y, n); cudaMemcpy(y, x, n * 4, cudaMemcpyDeviceToDevice);";
  const std::string count = "static int calls = 0; ++calls; ";
  const std::string on_host = "for (int i = 0; i < n; ++i) h[i] = calls > 1 ? 0 : 2 * h[i] + 1;";
  EXPECT_EQ(outcome_of(program(kRight, count + decoy, on_host)), judge::Outcome::kHostWork);
}

TEST_F(JudgeTest, KernelsMayBeConstantExpressions) {
  const std::string constant = "__global__ constexpr void one(float* x) { *x = 1; }\n";
  const judge::Verdict verdict = judge(constant + program(kRight));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation;
}

TEST_F(JudgeTest, HostsMayDistrustTheirKernelsAndResetTheDevice) {
  const std::string launch = "affine<<<4, 256>>>(x, y, n);";
  const std::string doubt = "if (h[0] != h[0] || h[0] == 0 || h[0] == before) ";
  const std::string copy = "static float before = 0; ";
  EXPECT_EQ(outcome_of(program(kRight, copy + launch, doubt + "std::abort(); before = h[0];")),
            judge::Outcome::kCorrect);
  EXPECT_EQ(outcome_of(program(kRight, copy + launch, doubt + "for (;;) {} before = h[0];")),
            judge::Outcome::kCorrect);
  EXPECT_EQ(outcome_of(program(kRight,
                               "cudaDeviceReset(); cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4);"
                               "file = std::fopen(\"data/x.bin\", \"rb\");"
                               "if (std::fread(h.data(), 4, n, file) != n) return 1; std::fclose(file);"
                               "cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice);" +
                                   launch)),
            judge::Outcome::kCorrect);
}

TEST_F(JudgeTest, AFaultyTaskSaysWhy) {
  task_.oracle.program = program("y[i] = 1;");
  const judge::Verdict constant = judge(program(kRight));
  EXPECT_EQ(constant.outcome, judge::Outcome::kFaultyTask);
  EXPECT_NE(constant.explanation.find("the same for all inputs"), std::string::npos);
  task_.oracle.program = "int main() { return missing; }";
  EXPECT_EQ(outcome_of(program(kRight)), judge::Outcome::kFaultyTask);
  task_.oracle.program = program(kRight, "return 4;");
  EXPECT_EQ(outcome_of(program(kRight)), judge::Outcome::kFaultyTask);
  task_.fault = "declares no output";
  EXPECT_EQ(judge(program(kRight)).explanation, "declares no output");
}

TEST_F(JudgeTest, TooMuchDataIsNotJudged) {
  settings_.data_limit = 7999;
  EXPECT_EQ(outcome_of(program(kRight)), judge::Outcome::kUnsupported);
}

TEST_F(JudgeTest, FindingsOfTheEmulatorDecide) {
  const std::string answer = program("y[i] = 2 * x[i] + 1; if (i == 999) y[i + 1] = 0;");
  const judge::Verdict verdict = judge(answer);
  EXPECT_EQ(verdict.outcome, judge::Outcome::kUndefinedBehavior) << verdict.explanation;
  EXPECT_EQ(verdict.explanation.substr(0, 30), "answer.cu:8: out_of_bounds: wr") << verdict.explanation;
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(verdict.findings[0].kind, "out_of_bounds");
  EXPECT_EQ(verdict.findings[0].line, 8u);
  settings_.lenient = true;
  const judge::Verdict lenient = judge(answer);
  EXPECT_EQ(lenient.outcome, judge::Outcome::kCorrect) << lenient.explanation;
  ASSERT_FALSE(lenient.findings.empty());
  EXPECT_EQ(lenient.findings[0].kind, "out_of_bounds");
}

// What a verdict of a GPU asks of the CPU executor beside it (check_program). The trials ran elsewhere.
class ChecksAlone : public JudgeTest {
 protected:
  judge::Verdict check(const std::string& answer) {
    judge::TaskScripts scripts(settings_.confinement);
    const judge::Expected expected = judge::make_expected(*executor_, settings_, scripts, task_);
    return judge::check_program({*executor_, settings_, scripts}, {task_, answer}, expected);
  }
};

TEST_F(ChecksAlone, FindWhatAVerdictOfTheCpuExecutorFinds) {
  const judge::Verdict clean = check(program(kRight));
  EXPECT_EQ(clean.outcome, judge::Outcome::kCorrect) << clean.explanation;
  EXPECT_EQ(clean.unchecked, "");
  for (const char* body : {"y[i] = 2 * x[i] + 1; if (i == 999) y[i + 1] = 0;",
                           "y[i] = 2 * x[i] + 1; __threadfence(); if (i >= 256 && !(y[i - 256] == 2 * x[i - "
                           "256] + 1)) y[i] = 0;"}) {
    const judge::Verdict verdict = check(program(body)), whole = judge(program(body));
    EXPECT_EQ(verdict.outcome, judge::Outcome::kUndefinedBehavior) << verdict.explanation;
    EXPECT_EQ(verdict.explanation, whole.explanation);
    EXPECT_EQ(verdict.unchecked, "");
  }
}

// The results of streams come late under checks, from the first trial on.
TEST_F(ChecksAlone, WhatIsRightOnlyWithoutThemIsUndefined) {
  const std::string early =
      "cudaStream_t side; cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);\n"
      "  affine<<<4, 256, 0, side>>>(x, y, n); float* pinned; cudaMallocHost(&pinned, n * 4);\n"
      "  cudaMemcpyAsync(pinned, y, n * 4, cudaMemcpyDeviceToHost, side);";
  const std::string late = "for (int i = 0; i < n; ++i) h[i] = pinned[i];";
  const judge::Verdict verdict = check(program(kRight, early, late));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kUndefinedBehavior) << verdict.explanation;
  const judge::Verdict waited = check(program(kRight, early + " cudaStreamSynchronize(side);", late));
  EXPECT_EQ(waited.outcome, judge::Outcome::kCorrect) << waited.explanation;
  const judge::Verdict wrong = check(program("y[i] = x[i];"));
  EXPECT_EQ(wrong.outcome, judge::Outcome::kWrongOutput) << wrong.explanation;
}

TEST_F(ChecksAlone, SayWhyTheyDecideNothing) {
  const judge::Verdict unbuilt = check(program("y[i] = nothing_of_ours(x[i]);"));
  EXPECT_NE(unbuilt.outcome, judge::Outcome::kCorrect);
  EXPECT_NE(unbuilt.outcome, judge::Outcome::kUndefinedBehavior);
  const std::string spinning = "y[i] = 2 * x[i] + 1; for (volatile long k = 0; k < 40000000; ++k) {}";
  const judge::Verdict slow = check(program(spinning, "affine<<<4, 256>>>(x, y, n);"));
  EXPECT_EQ(slow.outcome, judge::Outcome::kTimeout) << slow.explanation;
  settings_.check = false;
  EXPECT_EQ(judge(program(kRight)).unchecked, "the checks are turned off");
}

TEST_F(ChecksAlone, HaveOneRunOfLargeTasks) {
  task_.inputs[0].shape = task_.outputs[0].shape = {1 << 20};
  const auto large = [](std::string text) {
    text.replace(text.find("n = 1000"), 8, "n = 1048576");
    return text.replace(text.find("<<<4, 256>>>"), 12, "<<<4096, 256>>>");
  };
  task_.oracle.program = large(program(kRight));
  EXPECT_EQ(check(large(program(kRight))).outcome, judge::Outcome::kCorrect);
  EXPECT_EQ(check(large(program(kRight + " if (i == n - 1) y[n] = 0;"))).outcome,
            judge::Outcome::kUndefinedBehavior);
  const judge::Verdict wrong = check(large(program("y[i] = x[i];")));
  EXPECT_EQ(wrong.outcome, judge::Outcome::kWrongOutput) << "wrong in every order: " << wrong.explanation;
}

// What each of these gives depends on who comes first; in the natural order all are right.
TEST_F(JudgeTest, RightInOneOrderIsNotRight) {
  const std::string chain =
      "y[i] = 2 * x[i] + 1; __threadfence();\n"
      "  if (i >= 256 && !(y[i - 256] == 2 * x[i - 256] + 1)) y[i] = 0;";
  EXPECT_EQ(outcome_of(program(chain)), judge::Outcome::kUndefinedBehavior);
  const std::string last = "y[i] = 2 * x[i] + 1; y[7] = i == 999 ? 2 * x[7] + 1 : i;";
  EXPECT_NE(outcome_of(program(last)), judge::Outcome::kCorrect);
}

TEST_F(JudgeTest, LargeTasksRunOnceMoreWithChecks) {
  task_.inputs[0].shape = task_.outputs[0].shape = {1 << 20};
  const auto large = [](std::string text) {
    for (const char* small : {"n = 1000", "<<<4, 256>>>"})
      text.replace(text.find(small), std::string(small).size(),
                   small[0] == 'n' ? "n = 1048576" : "<<<4096, 256>>>");
    return text;
  };
  task_.oracle.program = large(program(kRight));
  EXPECT_EQ(outcome_of(large(program(kRight))), judge::Outcome::kCorrect);
  const judge::Verdict beyond = judge(large(program(kRight + " if (i == n - 1) y[n] = 0;")));
  EXPECT_EQ(beyond.outcome, judge::Outcome::kUndefinedBehavior) << beyond.explanation;
}

TEST_F(JudgeTest, ResultsThatNobodyWaitedForAreNotThere) {
  const std::string early =
      "float* m; cudaMallocManaged(&m, n * 4); affine<<<4, 256>>>(x, m, n);\n"
      "  for (int i = 0; i < n; ++i) h[i] = m[i]; cudaDeviceSynchronize(); cudaMemcpy(y, h.data(), n * 4, "
      "cudaMemcpyHostToDevice);";
  EXPECT_EQ(outcome_of(program(kRight, early)), judge::Outcome::kWrongOutput);
}

TEST_F(JudgeTest, TheSameSeedGivesTheSameTrials) {
  const std::string answer = program("y[i] = 2 * x[i] + 1.001f;");
  const judge::Verdict first = judge(answer), second = judge(answer);
  settings_.seed = 12;
  const judge::Verdict other = judge(answer);
  const auto wanted = [](const judge::Verdict& verdict) {
    return verdict.trials[0].outputs[0].first[0].wanted;
  };
  EXPECT_EQ(wanted(first), wanted(second));
  EXPECT_NE(wanted(first), wanted(other));
}

TEST_F(JudgeTest, TimedAnswersAreComparedAgain) {
  settings_.timing = true;
  settings_.timing_rounds = 3;
  const judge::Verdict verdict = judge(program(kRight));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation;
  ASSERT_TRUE(verdict.timing.has_value());
  EXPECT_GE(verdict.timing->runs, 3u);  // as many as asked for, and more until the median is known
  EXPECT_LE(verdict.timing->runs, 9u);
  EXPECT_GT(verdict.timing->median_us, 0);
  EXPECT_GT(verdict.timing->speedup, 0);
  EXPECT_EQ(verdict.reward.speedup, verdict.timing->speedup);
}

// A folder of the emulator with one header more: a library that the answer finds among the system's.
class LibraryJudgeTest : public JudgeTest {
 protected:
  void SetUp() override {
    const emulator::ToolchainSearch search = emulator::find_emulator_toolchain();
    if (!search.toolchain) GTEST_SKIP() << "skipped: " << search.missing;
    const std::filesystem::path from = search.toolchain->runtime_folder;
    std::filesystem::copy(
        from, folder_.path(),
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    base::write_scratch_file(folder_ / "include/small_library.h", std::string_view(R"(#pragma once
namespace library {
__global__ void affine(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 1;
}
template <typename Function>
__global__ void for_each(Function function, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) function(i);
}
__device__ inline float twice(float x) { return 2 * x; }
}  // namespace library
)"));
    emulator_.emplace("CUSET_EMULATOR", folder_.path().string());
    JudgeTest::SetUp();
  }

  base::TemporaryFolder folder_;
  std::optional<support::ScopedVariable> emulator_;
};

constexpr const char* kRenamed = "#define library mine\n#include <small_library.h>\n";
constexpr const char* kWithDecoy = "mine::affine<<<4, 256>>>(x, y, n); affine<<<1, 1>>>(y, x, 1);";

TEST_F(LibraryJudgeTest, AKernelFromALibrarysHeaderIsTheLibrarysByAnyName) {
  const judge::Verdict alone = judge(kRenamed + program("", "mine::affine<<<4, 256>>>(x, y, n);"));
  EXPECT_EQ(alone.outcome, judge::Outcome::kNoKernel) << alone.explanation << alone.compiler_messages;
  const judge::Verdict decoy = judge(kRenamed + program("y[i] = 0;", kWithDecoy));
  EXPECT_EQ(decoy.outcome, judge::Outcome::kNoKernel) << decoy.explanation;
  settings_.check = false;  // another way to compile
  EXPECT_EQ(outcome_of(kRenamed + program("y[i] = 0;", kWithDecoy)), judge::Outcome::kNoKernel);
}

TEST_F(LibraryJudgeTest, DeclarationsOfTheAnswersOwnChangeNothing) {
  const std::string declared = "namespace mine { __global__ void affine(const float*, float*, int); }\n";
  const judge::Verdict both = judge(declared + kRenamed + declared + program("y[i] = 0;", kWithDecoy));
  EXPECT_EQ(both.outcome, judge::Outcome::kNoKernel) << both.explanation;
  const judge::Verdict lines = judge("#line 1 \"mine.h\"\n" + (kRenamed + program("y[i] = 0;", kWithDecoy)));
  EXPECT_EQ(lines.outcome, judge::Outcome::kNoKernel) << lines.explanation;
  // By a path that is spelled as if it were below the answer's folder.
  const std::string around = "#define library mine\n#include \"../../../../../../../../../../../../../.." +
                             (folder_ / "include/small_library.h").string() + "\"\n";
  const judge::Outcome outcome = outcome_of(around + program("y[i] = 0;", kWithDecoy));
  EXPECT_TRUE(outcome == judge::Outcome::kNoKernel || outcome == judge::Outcome::kRejected)
      << judge::name_of(outcome);
}

TEST_F(LibraryJudgeTest, AFunctorOfTheAnswersInALibrarysKernelIsNoKernel) {
  const std::string functor =
      "struct Affine { const float* x; float* y; __device__ void operator()(int i) const { y[i] = 2 * x[i] + 1; } "
      "};\n";
  EXPECT_EQ(outcome_of(kRenamed + functor + program("", "mine::for_each<<<4, 256>>>(Affine{x, y}, n);")),
            judge::Outcome::kNoKernel);
}

TEST_F(LibraryJudgeTest, KernelsOfTheAnswersOwnStayItsOwn) {
  const judge::Verdict calls = judge(kRenamed + program("y[i] = mine::twice(x[i]) + 1;"));
  EXPECT_EQ(calls.outcome, judge::Outcome::kCorrect) << calls.explanation;
  const std::string made =
      "#define MAKE(name, body) __global__ void name(const float* x, float* y, int n) { \\\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { body; } }\n"
      "namespace { MAKE(made, y[i] = 2 * x[i] + 1) }\n";
  const judge::Verdict macro = judge(kRenamed + made + program("", "made<<<4, 256>>>(x, y, n);"));
  EXPECT_EQ(macro.outcome, judge::Outcome::kCorrect) << macro.explanation;
  const judge::Verdict both = judge(
      kRenamed +
      program(kRight, "mine::affine<<<2, 256>>>(x + 500, y + 500, n - 500); affine<<<2, 256>>>(x, y, 500);"));
  EXPECT_EQ(both.outcome, judge::Outcome::kCorrect) << both.explanation;
}

// A host function or a kernel, called by our harness.
class FunctionJudgeTest : public JudgeTest {
 protected:
  void SetUp() override {
    JudgeTest::SetUp();
    task_.kind = tasks::AnswerKind::kFunction;
    task_.function.name = "affine";
    task_.function.parameters = {{"x", "const float*", ""}, {"y", "float*", ""}, {"n", "int", "1000"}};
  }

  static std::string function(const std::string& body,
                              const std::string& call = "run<<<4, 256>>>(x, y, n);") {
    return "__global__ void run(const float* x, float* y, int n) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) { " +
           body + " }\n}\nvoid affine(const float* x, float* y, int n) { " + call + " }\n";
  }
};

TEST_F(FunctionJudgeTest, ARightFunctionIsCorrect) {
  const judge::Verdict verdict = judge(function(kRight));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation << verdict.compiler_messages;
}

TEST_F(FunctionJudgeTest, ARightKernelIsCorrect) {
  task_.function.kernel = true;
  task_.function.grid[0] = 8;
  task_.function.block[0] = 128;
  const judge::Verdict verdict = judge(
      "__global__ void affine(const float* x, float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 2 * x[i] + 1;\n}\n");
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCorrect) << verdict.explanation << verdict.compiler_messages;
}

TEST_F(FunctionJudgeTest, MessagesCountTheAnswersOwnLines) {
  const judge::Verdict verdict = judge(function("y[i] = two;"));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kCompileError);
  EXPECT_EQ(verdict.compiler_messages.substr(0, 12), "answer.cu:3:") << verdict.compiler_messages;
}

TEST_F(FunctionJudgeTest, WhatIsNotWrittenIsNotRight) {
  EXPECT_EQ(outcome_of(function("if (i != 999) y[i] = 2 * x[i] + 1;")), judge::Outcome::kWrongOutput);
  EXPECT_EQ(outcome_of(function(kRight, "")), judge::Outcome::kWrongOutput);
}

TEST_F(FunctionJudgeTest, ReadsBesideABufferAreFound) {
  const judge::Verdict beyond = judge(function("y[i] = 2 * x[i] + 1 + 0 * (x[i + 1] > 0);"));
  EXPECT_EQ(beyond.outcome, judge::Outcome::kUndefinedBehavior);
  EXPECT_NE(beyond.explanation.find("out_of_bounds"), std::string::npos) << beyond.explanation;
  const judge::Verdict unset = judge(function("if (y[i] > 1e30f) y[i] = 0; y[i] = 2 * x[i] + 1;"));
  EXPECT_EQ(unset.outcome, judge::Outcome::kUndefinedBehavior);
  EXPECT_NE(unset.explanation.find("uninitialised_read"), std::string::npos) << unset.explanation;
}

TEST_F(FunctionJudgeTest, GuardsAndInputsAreLookedAt) {
  settings_.check = false;
  const judge::Verdict beyond = judge(function(kRight + " if (i == 0) y[n + 3] = 0;"));
  EXPECT_EQ(beyond.outcome, judge::Outcome::kWrongOutput);
  EXPECT_EQ(beyond.explanation, "it wrote beyond the end of y");
  const judge::Verdict before = judge(function(kRight + " if (i == 0) y[-1] = 0;"));
  EXPECT_EQ(before.explanation, "it wrote before the beginning of y");
  const judge::Verdict input = judge(function(kRight + " if (i == 0) const_cast<float*>(x)[7] = 0;"));
  EXPECT_EQ(input.explanation, "it changed its input x");
}

TEST_F(FunctionJudgeTest, WhatIsRememberedFromTheFirstCallIsWrongInTheNext) {
  const std::string remember =
      "static bool seen; static float kept[1000]; run<<<4, 256>>>(x, y, n);\n"
      "if (seen) { cudaMemcpy(y, kept, 4000, cudaMemcpyHostToDevice); return; }\n"
      "seen = true; cudaMemcpy(kept, y, 4000, cudaMemcpyDeviceToHost);";
  const judge::Verdict verdict = judge(function(kRight, remember));
  EXPECT_EQ(verdict.outcome, judge::Outcome::kWrongOutput);
  EXPECT_EQ(verdict.trials[0].outcome, judge::Outcome::kCorrect);
}

TEST_F(FunctionJudgeTest, AnotherSignatureDoesNotLink) {
  EXPECT_EQ(outcome_of("__global__ void k() {}\nvoid affine(float* x, float* y) { k<<<1, 1>>>(); }\n"),
            judge::Outcome::kLinkError);
}

TEST_F(FunctionJudgeTest, MacrosOfTheAnswerDoNotReachTheHarness) {
  EXPECT_EQ(outcome_of("#define save(path) (void)0\n#define Buffer int\n#define require(...) return 0\n" +
                       function(kRight)),
            judge::Outcome::kCorrect);
  EXPECT_EQ(outcome_of(function(kRight) + "int main() { return 0; }\n"), judge::Outcome::kCorrect);
}

}  // namespace
}  // namespace cuset::tests
