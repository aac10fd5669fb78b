// Answers judged by a benchmark's own tests, with the real CPU executor. Skipped where it cannot work.
#include "benchmarks/own_tests/test_judge.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"
#include "execute/build/nvcc_compiler.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

// Programs that nvcc makes, run without a GPU: host code alone.
class HostOfNvcc : public execute::Executor {
 public:
  explicit HostOfNvcc(const execute::Nvcc& nvcc) : compiler_(execute::find_toolkit(nvcc), {}) {}
  std::string name() const override { return "nvcc"; }
  std::string description() const override { return "nvcc"; }
  execute::Build build(const std::filesystem::path& source, const execute::BuildOptions& options) override {
    execute::BuildOptions here = options;
    here.architecture = "sm_80";
    return compiler_.build(execute::CudaSource::read(source), here, folder_.path());
  }
  execute::Run run(const execute::Build& build, const execute::RunOptions& options) override {
    sandbox::SandboxedCommand command;
    command.arguments = {build.program.string()};
    command.folder = options.folder;
    command.readable = {build.folder};
    execute::Run run;
    run.process = sandbox::run_sandboxed(command);
    run.outcome = run.process.succeeded() ? execute::Run::Outcome::kDone : execute::Run::Outcome::kFailed;
    return run;
  }

 private:
  execute::NvccCompiler compiler_;
  base::TemporaryFolder folder_;
};

constexpr const char* kTest = R"(
#include "../include/negate.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
static void check(bool good) { if (!good) { std::printf("wrong\n"); std::exit(3); } }
int main(int count, char** arguments) {
  const int n = 1000, seed = count > 1 ? std::atoi(arguments[1]) : 7;
  int h[n], *x;
  for (int i = 0; i < n; ++i) h[i] = (i + 1) * (seed % 100 + 1);
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  negate(x, n);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) check(h[i] == -(i + 1) * (seed % 100 + 1));
  std::printf("all passed\n");
}
)";

constexpr const char* kRight = R"(
#include "negate.h"
#define printf(...) 0
static void check(cudaError_t) {}
static __global__ void negate_all(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -x[i];
}
void negate(int* x, int n) { negate_all<<<(n + 255) / 256, 256>>>(x, n); check(cudaGetLastError()); }
)";

// kRight with another body of the host function.
std::string answer(const std::string& body, const std::string& more = "") {
  const std::string right = kRight;
  return right.substr(0, right.find("void negate(int* x, int n) {")) + more +
         "void negate(int* x, int n) { " + body + " }\n";
}

class TestJudge : public WithCpuExecutor<testing::Test> {
 protected:
  void prepare() override {
    task_.id = "negate";
    task_.kind = tasks::AnswerKind::kTests;
    task_.tests.files = {{"include/negate.h", "#pragma once\nvoid negate(int* x, int n);\n"},
                         {"test/main.cu", kTest}};
    task_.tests.answer_file = "solution.cu";
    task_.tests.sources = {"solution.cu", "test/main.cu"};
    task_.tests.include_folders = {"include"};
    task_.time_limit = 20;
    settings_.seed = 5;
  }

  judge::Verdict judge(const std::string& code) {
    return benchmarks::judge_tests(*executor_, settings_, task_, code);
  }

  void expect(const std::string& code, judge::Outcome outcome, const std::string& explanation) {
    const judge::Verdict verdict = judge(code);
    EXPECT_EQ(judge::name_of(verdict.outcome), judge::name_of(outcome)) << verdict.explanation << "\n"
                                                                        << verdict.compiler_messages;
    EXPECT_NE(verdict.explanation.find(explanation), std::string::npos) << verdict.explanation;
  }

  judge::JudgeSettings settings_;
  tasks::Task task_;
};

TEST_F(TestJudge, ARightAnswerIsCorrect) {
  const judge::Verdict verdict = judge(kRight);
  ASSERT_EQ(judge::name_of(verdict.outcome), "correct") << verdict.explanation << verdict.compiler_messages;
  EXPECT_EQ(verdict.kernels, std::vector<std::string>{"negate_all"});
  EXPECT_EQ(verdict.trials.size(), 1u);
  EXPECT_EQ(verdict.reward.compiled, 1);
  EXPECT_EQ(verdict.reward.launched, 1);
  EXPECT_EQ(verdict.reward.fraction_right, 1);
}

TEST_F(TestJudge, TestsWithASeedAreTriedSeveralTimes) {
  task_.tests.arguments = {"{seed}"};
  EXPECT_EQ(judge(kRight).trials.size(), 5u);
}

TEST_F(TestJudge, WrongAnswersGetTheirWord) {
  expect(answer("negate_all<<<1, 256>>>(x, n);"), judge::Outcome::kWrongOutput, "status 3: \"wrong\"");
  expect("void negate(int* x, int n) { missing(); }", judge::Outcome::kCompileError, "missing");
  expect("void negat(int* x, int n) {}", judge::Outcome::kLinkError, "");
  expect("  \n", judge::Outcome::kNoCode, "no code");
  expect(answer("negate_all<<<(n + 255) / 256, 256>>>(nullptr, n); cudaDeviceSynchronize();"),
         judge::Outcome::kLaunchError, "illegal memory access");
}

TEST_F(TestJudge, NothingButPassedTestsCounts) {
  expect(answer("std::exit(0);", "#include <cstdlib>\n"), judge::Outcome::kHack, "");
  expect(answer("std::printf(\"all passed\\n\"); std::_Exit(0);",
                "#undef printf\n#include <cstdio>\n#include <cstdlib>\n"),
         judge::Outcome::kHack, "");
  expect(answer("", "#include <unistd.h>\n__attribute__((constructor)) static void early() { _exit(0); }\n"),
         judge::Outcome::kHack, "");
  expect(answer("", "#include <unistd.h>\nstruct Early { Early() { _exit(0); } } early;\n"),
         judge::Outcome::kHack, "");
  expect("extern \"C\" int printf(const char*, ...) { return 0; }\n" + answer(""), judge::Outcome::kHack,
         "printf");
}

TEST_F(TestJudge, AnEarlyEndThatNoRuleOfTheSourceSeesIsRefusedByTheKernel) {
  // Reaches exit through a pointer, so that the text does not show it.
  const std::string hidden = "#include <cstdlib>\nstatic void (*const leave)(int) = &std::quick_exit;\n";
  const judge::Verdict verdict = judge(answer("leave(0);", hidden));
  EXPECT_EQ(judge::name_of(verdict.outcome), "hack") << verdict.explanation;
}

// None is correct, whatever the first rule is that sees it.
TEST_F(TestJudge, NothingThatAnAnswerDoesMakesItsTestsPass) {
  const std::string nothing = "negate_all<<<1, 1>>>(x, 0);";
  const std::pair<const char*, std::string> attacks[] = {
      {"a file", answer("std::fclose(std::fopen(\"cuset.passed\", \"w\")); std::_Exit(0);",
                        "#undef printf\n#include <cstdio>\n#include <cstdlib>\n")},
      {"its own memory",
       answer("std::ofstream(\"/proc/self/mem\") << 1;", "#undef printf\n#include <fstream>\n")},
      {"a scan of the data", answer("for (char* p = __bss_start; p != _end; ++p) *p = 0;",
                                    "extern \"C\" char __bss_start[], _end[];\n")},
      {"assembly",
       answer("long r; CALL(sys, call)",
              "#define CALL(a, b) __asm__ volatile(#a #b : \"=a\"(r) : \"a\"(231L), \"D\"(0L));\n")},
      {"terminate", answer("std::set_terminate([] { std::_Exit(0); }); std::terminate();",
                           "#include <cstdlib>\n#include <exception>\n")},
      {"an exception", answer("throw 1;")},
      {"the status 256", answer("std::exit(256);", "#include <cstdlib>\n")},
      {"a handler of exit", answer("std::atexit([] { std::_Exit(0); });" + nothing, "#include <cstdlib>\n")},
      {"a destructor",
       answer(nothing, "#include <cstdlib>\nstruct Late { ~Late() { std::_Exit(0); } } late;\n")},
      {"a thread",
       answer("std::thread([] { std::quick_exit(0); }).join();", "#include <cstdlib>\n#include <thread>\n")},
      {"the main thread's end", answer("pthread_exit(nullptr);", "#include <pthread.h>\n")},
      {"the judge's own end", answer("cuset_test_exit(0);", "extern \"C\" void cuset_test_exit(int);\n")},
      {"its instruction", answer("cuset_end();", "extern \"C\" void cuset_end();\n")},
      {"a main of its own", answer(nothing, "extern \"C\" int __wrap_main(int, char**) { return 0; }\n")},
      {"a function of the end", "extern \"C\" void __cxa_finalize(void*) {}\n" + answer(nothing)},
      {"an alias", answer(nothing,
                          "#ifndef __CUDA_ARCH__\nextern \"C\" int fine() { return 0; }\n"
                          "#define SAME(a, b) __attribute__((a##b(\"fine\")))\n"
                          "extern \"C\" int syncfs() SAME(ali, as);\n#endif\n")},
      {"a header of the tests",
       "// file: include/cstdio\n#define exit(x) exit(0)\n#include_next <cstdio>\n"
       "// file: solution.cu\n" +
           answer(nothing)},
      {"a jump", answer("jmp_buf place; if (setjmp(place) == 0) longjmp(place, 1);", "#include <csetjmp>\n")},
      {"a symbol by name", answer("((void (*)(int))dlsym(nullptr, \"_exit\"))(0);", "#include <dlfcn.h>\n")},
  };
  for (const auto& [what, code] : attacks) {
    const judge::Verdict verdict = judge(code);
    EXPECT_NE(judge::name_of(verdict.outcome), "correct") << what;
    EXPECT_NE(judge::name_of(verdict.outcome), "compile_error") << what << ": " << verdict.compiler_messages;
  }
}

TEST_F(TestJudge, OrdinaryHostCodeIsLeftAlone) {
  expect(
      answer(R"(
  static std::once_flag once;
  std::call_once(once, [] { std::cout << "first" << std::endl; });
  std::vector<int> parts(3);
  std::thread worker([&] { std::iota(parts.begin(), parts.end(), 0); });
  worker.join();
  std::unique_ptr<int[]> copy(new int[n]);
  std::ostringstream text;
  text << std::setprecision(3) << std::sqrt(2.0) << std::string(parts.size(), '-');
  try { if (n < 0) throw std::runtime_error(text.str()); } catch (const std::exception& e) { std::abort(); }
  const auto start = std::chrono::steady_clock::now();
  std::minstd_rand random(std::random_device{}());
  std::shuffle(parts.begin(), parts.end(), random);
  cudaStream_t stream;
  if (cudaStreamCreate(&stream) != cudaSuccess) { fprintf(stderr, "no stream\n"); exit(EXIT_FAILURE); }
  negate_all<<<(n + 255) / 256, 256, 0, stream>>>(x, n);
  if (cudaStreamSynchronize(stream) != cudaSuccess) std::exit(2);
  cudaStreamDestroy(stream);
  std::fprintf(stderr, "%f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
)",
             "#undef printf\n#include <algorithm>\n#include <chrono>\n#include <cmath>\n#include <cstdio>\n"
             "#include <cstdlib>\n#include <iomanip>\n#include <iostream>\n#include <memory>\n"
             "#include <mutex>\n#include <numeric>\n#include <random>\n#include <sstream>\n"
             "#include <stdexcept>\n#include <string>\n#include <thread>\n#include <vector>\n"),
      judge::Outcome::kCorrect, "");
}

TEST_F(TestJudge, FilesOfTheTasksOwnTreeMayBeIncludedByAnyPath) {
  task_.tests.answer_file = "src/solution.cu";
  task_.tests.sources = {"src/solution.cu", "test/main.cu"};
  std::string code = kRight;
  code.replace(code.find("\"negate.h\""), 10, "\"../include/negate.h\"");
  expect(code, judge::Outcome::kCorrect, "");
  code.replace(code.find("../include/negate.h"), 19, "../../../etc/passwd");
  expect(code, judge::Outcome::kRejected, "reads a file of the host");
}

TEST_F(TestJudge, TheWorkMustBeTheKernels) {
  const std::string on_host =
      "int* h = new int[n]; cudaMemcpy(h, x, n * 4, cudaMemcpyDeviceToHost);"
      "for (int i = 0; i < n; ++i) h[i] = -h[i];"
      "cudaMemcpy(x, h, n * 4, cudaMemcpyHostToDevice);";
  expect(answer(on_host), judge::Outcome::kNoKernel, "no kernel of the answer's own");
  expect(answer(on_host + "negate_all<<<1, 1>>>(x, 0);"), judge::Outcome::kNoKernel, "do nothing");
  task_.needs_kernel = false;
  expect(answer(on_host), judge::Outcome::kCorrect, "");
}

// Programs run as on the CPU executor, which counts for this one beside it, as for a GPU.
class Beside : public execute::Executor {
 public:
  explicit Beside(execute::Executor& counting) : counting_(counting) {}
  std::string name() const override { return "gpu"; }
  std::string description() const override { return "the CPU executor, uncounted"; }
  execute::Build build(const std::filesystem::path& source, const execute::BuildOptions& options) override {
    EXPECT_FALSE(options.companions.counts_host_work);
    return counting_.build(source, options);
  }
  execute::Run run(const execute::Build& build, const execute::RunOptions& options) override {
    return counting_.run(build, options);
  }
  execute::Executor* checking_executor() override { return &counting_; }

 private:
  execute::Executor& counting_;
};

TEST_F(TestJudge, WhatOneExecutorCannotCountAnotherCountsForTheSameSource) {
  Beside beside(*executor_);
  const auto outcome = [&](const std::string& code) {
    return judge::name_of(benchmarks::judge_tests(beside, settings_, task_, code).outcome);
  };
  const std::string on_host =
      "int* h = new int[n]; cudaMemcpy(h, x, n * 4, cudaMemcpyDeviceToHost);"
      "for (int i = 0; i < n; ++i) h[i] = -h[i];"
      "negate_all<<<(n + 255) / 256, 256>>>(x, n); int first; cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost);"
      "if (first == h[0]) cudaMemcpy(x, h, n * 4, cudaMemcpyHostToDevice);";
  EXPECT_EQ(outcome(kRight), "correct");
  EXPECT_EQ(outcome(answer(on_host)), "host_work");
  task_.needs_kernel = false;
  EXPECT_EQ(outcome(answer(on_host)), "correct");
}

TEST_F(TestJudge, TestsThatEndByExitCanPassAndPrintedTextIsAskedForBeside) {
  std::string test = kTest;
  test.replace(test.rfind("}\n"), 2, "  std::exit(0);\n}\n");
  task_.tests.files["test/main.cu"] = test;
  task_.tests.expected_output = "all passed";
  expect(kRight, judge::Outcome::kCorrect, "");
  expect(answer("negate_all<<<1, 256>>>(x, n);"), judge::Outcome::kWrongOutput, "status 3");
  task_.tests.expected_output = "Validation: PASS";
  expect(kRight, judge::Outcome::kWrongOutput, "did not print \"Validation: PASS\"");
}

TEST_F(TestJudge, WhatTheEmulatorCannotTellApartIsUnsupported) {
  task_.tests.files["test/main.cu"] = std::string("static __global__ void negate_all(int* x) {}\n") + kTest;
  expect(kRight, judge::Outcome::kUnsupported, "both define a kernel negate_all");
}

TEST(TestJudgeWithNvcc, OnlyPassedTestsEndWithStatusZero) {
  const std::optional<execute::Nvcc> nvcc = execute::find_nvcc();
  if (!nvcc) GTEST_SKIP() << "skipped: no nvcc";
  tasks::Task task;
  task.id = "twice";
  task.needs_kernel = false;
  task.tests.files = {{"test.cu", "int twice(int);\nint main() { if (twice(3) != 6) return 1; }\n"}};
  task.tests.answer_file = "solution.cu";
  task.tests.sources = {"test.cu", "solution.cu"};
  const auto outcome = [&](const std::string& code) {
    HostOfNvcc executor(*nvcc);
    return judge::name_of(benchmarks::judge_tests(executor, {}, task, code).outcome);
  };
  EXPECT_EQ(outcome("int twice(int x) { return 2 * x; }"), "correct");
  EXPECT_EQ(outcome("int twice(int x) { return 3 * x; }"), "wrong_output");
  EXPECT_EQ(outcome("#include <cstdlib>\nstatic void (*const leave)(int) = &std::quick_exit;\n"
                    "int twice(int x) { leave(0); return 0; }"),
            "hack");
}

// A driver in ParEval's form: it includes the answer, and validates by itself.
TEST_F(TestJudge, AnAnswerThatTheTestsIncludeGoesOnFromItsPromptAndCannotReplaceThem) {
  task_ = {};
  task_.id = "twice";
  task_.prompts = {{"1", "/* Double every number. */\n__global__ void twice(double *x, size_t n) {"}};
  task_.tests.files = {
      {"checks.hpp",
       "#pragma once\n#include <cmath>\n#include <vector>\n"
       "template <typename V> bool fequal(V const& a, V const& b, double e = 1e-6) {\n"
       "  for (size_t i = 0; i < a.size(); ++i) if (std::abs(a[i] - b[i]) > e) return false;\n"
       "  return true;\n}\n#define SYNC() cudaDeviceSynchronize()\n"},
      {"driver.cu", R"(#include "checks.hpp"
#include "generated-code.cuh"
bool validate(unsigned seed) {
  std::vector<double> h(100), wanted(100);
  for (size_t i = 0; i < 100; ++i) { h[i] = seed % 17 + i; wanted[i] = 2 * h[i]; }
  double* x;
  cudaMalloc(&x, 800);
  cudaMemcpy(x, h.data(), 800, cudaMemcpyHostToDevice);
  twice<<<1, 128>>>(x, 100);
  SYNC();
  cudaMemcpy(h.data(), x, 800, cudaMemcpyDeviceToHost);
  return fequal(h, wanted);
}
)"},
      {"main.cu",
       "#include <cstdlib>\nbool validate(unsigned);\n"
       "int main(int, char** a) { return validate(std::atoi(a[1])) ? 0 : 1; }\n"}};
  task_.tests.answer_file = "generated-code.cuh";
  task_.tests.sources = {"driver.cu", "main.cu"};
  task_.tests.include_folders = {"."};
  task_.tests.arguments = {"{seed}"};
  settings_.trials = 2;
  const std::string body = "  if (threadIdx.x < n) x[threadIdx.x] *= 2;\n}\n", wrong = "  x[0] = 0;\n}\n";
  expect(body, judge::Outcome::kCorrect, "");
  expect("__global__ void twice(double *x, size_t n) {\n" + body, judge::Outcome::kCorrect, "");
  expect(wrong, judge::Outcome::kWrongOutput, "status 1");
  expect(wrong + "#define fequal(a, b) true\n", judge::Outcome::kWrongOutput, "status 1");
  expect(wrong + "bool fequal(std::vector<double>&, std::vector<double>&) { return true; }\n",
         judge::Outcome::kWrongOutput, "status 1");
  expect(wrong + "bool validate(unsigned) { return true; }\n", judge::Outcome::kWrongOutput, "status 1");
  // Where only a kernel is asked for, no host code of the answer runs.
  const std::string head = "__global__ void twice(double *x, size_t n) {\n";
  expect("#include <cstdlib>\n" + head + wrong + "struct Early { Early() { std::_Exit(0); } } early;\n",
         judge::Outcome::kRejected, "only a kernel is asked for");
  expect("extern \"C\" __device__ int open(const char*, int);\n" + head + "  x[0] = open(\"/\", 0);\n}\n",
         judge::Outcome::kCompileError, "unresolved extern function 'open'");
  expect("void twice(double *x, size_t n) { for (size_t i = 0; i < n; ++i) x[i] *= 2; }\n",
         judge::Outcome::kLinkError, "");
  expect("#include <iostream>\n" + head + body + "int main() { std::cout << 1; }\n", judge::Outcome::kCorrect,
         "");
}

TEST_F(TestJudge, AFaultyTaskGivesNoVerdict) {
  task_.fault = "its build command cannot be understood";
  expect(kRight, judge::Outcome::kFaultyTask, "cannot be understood");
}

}  // namespace
}  // namespace cuset::tests
