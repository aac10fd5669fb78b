#include "benchmarks/own_tests/test_sources.h"

#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

tasks::Task separate_task() {
  tasks::Task task;
  task.id = "t";
  task.kind = tasks::AnswerKind::kTests;
  task.tests.files = {{"include/negate.h", "void negate(int* x, int n);\n"},
                      {"data/table.txt", "1 2 3\n"},
                      {"test.cu",
                       "#include \"negate.h\"\nint main() {\n  if (std::memcmp(a, b, 4)) std::exit(1);\n"
                       "  check();\n  std::exit(EXIT_SUCCESS);\n}\nvoid check() { if (0) exit(0); }\n"}};
  task.tests.answer_file = "solution.cu";
  task.tests.sources = {"solution.cu", "test.cu"};
  task.tests.include_folders = {"include"};
  return task;
}

tasks::Task including_task() {
  tasks::Task task = separate_task();
  task.prompts = {{"1", "__global__ void scale(double* x) {"}};
  task.tests.files = {
      {"checks.hpp",
       "#include <cmath>\ntemplate <class T> bool equal(T a, T b) { return a == b; }\n#define SYNC() f()\n"},
      {"driver.cu",
       "#include <vector>\n#include \"checks.hpp\"\n#include \"generated.cuh\"\nbool validate() {\n"
       "  scale<<<1, 1>>>(x); SYNC(); p->equal(1); std::equal(a, b);\n"
       "  return equal(1, 2);\n}\n"}};
  task.tests.answer_file = "generated.cuh";
  task.tests.sources = {"driver.cu"};
  return task;
}

TEST(TestSources, SourcesStayApartAndMainIsWrapped) {
  const TestProgram program = make_test_program(separate_task(), "void negate(int* x, int n) {}\n");
  const execute::CompanionSources& companions = program.companions;
  EXPECT_EQ(program.lacks, "");
  EXPECT_TRUE(companions.wrap_main);
  EXPECT_EQ(companions.isolation, execute::Isolation::kTested);
  EXPECT_EQ(companions.sources, (std::vector<std::string>{"cuset_answer/solution.cu", "test.cu"}));
  EXPECT_EQ(companions.answers, std::vector<std::string>{"cuset_answer/solution.cu"});
  EXPECT_EQ(companions.files.at("cuset_answer/solution.cu"), "void negate(int* x, int n) {}\n");
  EXPECT_EQ(companions.files.at("include/negate.h"), "void negate(int* x, int n);\n");
  EXPECT_EQ(companions.files.at("cuset_answer/include/negate.h"), "void negate(int* x, int n);\n");
  EXPECT_FALSE(companions.files.contains("cuset_answer/test.cu")) << "the tests' sources are not shown";
  EXPECT_EQ(companions.redirected.at("quick_exit"), "cuset_test_quick_exit");
  EXPECT_EQ(program.data.at("data/table.txt"), "1 2 3\n");
}

TEST(TestSources, AnAnswerOfSeveralFilesStaysInItsFolder) {
  const char* const code =
      "// file: include/mine.h\nint twice(int);\n  // file: ./solution.cu\n#include \"mine.h\"\n// file: "
      "test.cu\nint main() {}\n// file: include/cstdio\n#define printf(...) 0\n";
  const TestProgram program = make_test_program(separate_task(), code);
  const auto& files = program.companions.files;
  EXPECT_TRUE(has(files.at("cuset_answer/include/mine.h"), "int twice(int);"));
  EXPECT_TRUE(has(files.at("cuset_answer/solution.cu"), "#include \"mine.h\""));
  EXPECT_TRUE(has(files.at("test.cu"), "memcmp")) << "the tests stay";
  EXPECT_FALSE(files.contains("include/cstdio")) << "tests must not include what an answer brings";
  EXPECT_TRUE(files_of_answer("// file: negate.cu\nx\n", "solution.cu").contains("solution.cu"));
  EXPECT_EQ(files_of_answer("// file: ../../x\ny\n", "s.cu").size(), 1u);
  EXPECT_TRUE(files_of_answer("// file: \"a.h\"\nx\n// file: \"s.cu\"\ny\n", "s.cu").contains("a.h"));
}

TEST(TestSources, NamesThatTheTaskAsksForMustBeUsed) {
  tasks::Task task = separate_task();
  task.tests.needs_all = {"cudaLaunchKernelEx"};
  task.tests.needs_any = {"cub::DeviceScan", "warpSize"};
  const auto explanation = [&](const char* code) { return make_test_program(task, code).lacks; };
  EXPECT_EQ(explanation("cudaLaunchKernelEx(); cub :: DeviceScan::Sum();"), "");
  EXPECT_EQ(explanation("// cudaLaunchKernelEx\nwarpSize"),
            "the task asks for cudaLaunchKernelEx, which it does not use");
  EXPECT_EQ(explanation("cudaLaunchKernelEx();"),
            "the task asks for one of cub::DeviceScan, warpSize, and it uses none");
}

TEST(TestSources, TestsThatIncludeTheAnswerGetTheKernelsHeadAlone) {
  const TestProgram program =
      make_test_program(including_task(), "#define equal(a, b) true\n__global__ void scale(double* x) {}\n");
  const execute::CompanionSources& companions = program.companions;
  EXPECT_EQ(companions.files.at("generated.cuh"), "__global__ void scale(double* x) ;\n");
  EXPECT_TRUE(has(companions.files.at("cuset_answer/generated.cuh"), "#define equal"));
  EXPECT_EQ(companions.files.at("cuset_answer/cuset_kernel.cu"),
            "#include <vector>\n#include <cmath>\n#include \"generated.cuh\"\n");
  EXPECT_EQ(companions.sources, (std::vector<std::string>{"driver.cu", "cuset_answer/cuset_kernel.cu"}));
  EXPECT_EQ(companions.answers, std::vector<std::string>{"cuset_answer/cuset_kernel.cu"});
  EXPECT_EQ(companions.isolation, execute::Isolation::kKernels);
}

}  // namespace
}  // namespace cuset::benchmarks
