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
      {"checks.hpp", "template <class T> bool equal(T a, T b) { return a == b; }\n#define SYNC() f()\n"},
      {"driver.cu",
       "#include \"checks.hpp\"\n#include \"generated.cuh\"\nbool validate() {\n"
       "  scale<<<1, 1>>>(x); SYNC(); p->equal(1); std::equal(a, b);\n"
       "  return equal(1, 2);\n}\n"}};
  task.tests.answer_file = "generated.cuh";
  task.tests.sources = {"driver.cu"};
  return task;
}

TEST(TestSources, SourcesStayApartAndMainIsWrapped) {
  const TestProgram program = make_test_program(separate_task(), "void negate(int* x, int n) {}\n", 1);
  EXPECT_EQ(program.hack + program.lacks, "");
  EXPECT_TRUE(program.companions.wrap_main);
  EXPECT_EQ(program.companions.sources, (std::vector<std::string>{"solution.cu", "test.cu"}));
  EXPECT_EQ(program.companions.files.at("solution.cu"), "void negate(int* x, int n) {}\n");
  EXPECT_EQ(program.companions.files.at("include/negate.h"), "void negate(int* x, int n);\n");
  EXPECT_EQ(program.data.at("data/table.txt"), "1 2 3\n");
  EXPECT_TRUE(has(program.start, "__wrap_main"));
}

TEST(TestSources, SuccessfulExitsOfTheTestsGoThroughTheStart) {
  const std::string test = make_test_program(separate_task(), "x", 1).companions.files.at("test.cu");
  EXPECT_TRUE(has(test, "std::exit(1)")) << test;
  EXPECT_FALSE(has(test, "EXIT_SUCCESS")) << test;
  EXPECT_FALSE(has(test, "exit(0)")) << test;
  const size_t name = test.find("cuset_success_");
  ASSERT_NE(name, std::string::npos);
  const std::string called = test.substr(name, 30);
  EXPECT_TRUE(has(make_test_program(separate_task(), "x", 1).start, called));
  EXPECT_FALSE(has(make_test_program(separate_task(), "x", 2).start, called)) << "drawn from the seed";
}

TEST(TestSources, AnAnswerOfSeveralFiles) {
  const char* const code =
      "// file: include/mine.h\nint twice(int);\n  // file: ./solution.cu\n#include \"mine.h\"\n// file: "
      "test.cu\nint main() {}\n";
  const TestProgram program = make_test_program(separate_task(), code, 1);
  EXPECT_TRUE(has(program.companions.files.at("include/mine.h"), "int twice(int);"));
  EXPECT_TRUE(has(program.companions.files.at("solution.cu"), "#include \"mine.h\""));
  EXPECT_TRUE(has(program.companions.files.at("test.cu"), "memcmp")) << "the tests stay";
  EXPECT_TRUE(files_of_answer("// file: negate.cu\nx\n", "solution.cu").contains("solution.cu"));
  EXPECT_EQ(files_of_answer("// file: ../../x\ny\n", "s.cu").size(), 1u);
  EXPECT_TRUE(files_of_answer("// file: \"a.h\"\nx\n// file: \"s.cu\"\ny\n", "s.cu").contains("a.h"));
}

TEST(TestSources, LibraryFunctionsOfTheTestsAreNotForAnswersToDefine) {
  const auto hack = [](const char* code) { return make_test_program(separate_task(), code, 1).hack; };
  EXPECT_EQ(hack("extern \"C\" int memcmp(const void*, const void*, size_t) { return 0; }"),
            "it defines memcmp, which the tests take from a library");
  EXPECT_NE(hack("extern \"C\" void exit(int) { }"), "");
  EXPECT_EQ(hack("static int memcmp(int a) { return 0; } void check() {} int other() {}"), "");
  EXPECT_EQ(hack("__device__ int memcmp(int a) { return 0; }"), "");
}

TEST(TestSources, NamesThatTheTaskAsksForMustBeUsed) {
  tasks::Task task = separate_task();
  task.tests.needs_all = {"cudaLaunchKernelEx"};
  task.tests.needs_any = {"cub::DeviceScan", "warpSize"};
  const auto explanation = [&](const char* code) { return make_test_program(task, code, 1).lacks; };
  EXPECT_EQ(explanation("cudaLaunchKernelEx(); cub :: DeviceScan::Sum();"), "");
  EXPECT_EQ(explanation("// cudaLaunchKernelEx\nwarpSize"),
            "the task asks for cudaLaunchKernelEx, which it does not use");
  EXPECT_EQ(explanation("cudaLaunchKernelEx();"),
            "the task asks for one of cub::DeviceScan, warpSize, and it uses none");
}

TEST(TestSources, WhereTestsIncludeTheAnswerItsMacrosEndAndTheirNamesAreHidden) {
  const char* const code =
      "#undef SYNC\n#define SYNC() 0\n#define equal(a, b) true\n__global__ void scale(double* x) {}\n";
  const TestProgram program = make_test_program(including_task(), code, 1);
  const std::string answer = program.companions.files.at("generated.cuh");
  EXPECT_TRUE(
      answer.starts_with("#pragma push_macro(\"SYNC\")\n#pragma push_macro(\"equal\")\n#line 1\n#undef SYNC"))
      << answer;
  EXPECT_TRUE(answer.ends_with("#pragma pop_macro(\"SYNC\")\n#pragma pop_macro(\"equal\")\n")) << answer;
  const std::string driver = program.companions.files.at("driver.cu");
  EXPECT_TRUE(has(driver, "return equal_")) << driver;
  EXPECT_TRUE(has(driver, "bool validate_")) << driver;
  EXPECT_TRUE(has(driver, "p->equal(1); std::equal(a, b)")) << driver;
  EXPECT_TRUE(has(driver, "scale<<<1, 1>>>")) << driver;
  EXPECT_TRUE(has(program.companions.files.at("checks.hpp"), "bool equal_"));
}

}  // namespace
}  // namespace cuset::benchmarks
