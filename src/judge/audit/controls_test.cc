#include "judge/audit/controls.h"

#include <gtest/gtest.h>

#include "cuda_source/regions.h"
#include "judge/lint/lint.h"

namespace cuset::judge {
namespace {

tasks::Task two_arrays() {
  tasks::Task task;
  task.id = "t";
  task.inputs = {{"n", tasks::NumberType::kInt32, {}, {}}, {"x", tasks::NumberType::kFloat32, {3, 4}, {}}};
  task.outputs = {{"y", tasks::NumberType::kFloat32, {5}, {}}, {"k", tasks::NumberType::kInt64, {2}, {}}};
  return task;
}

std::string source_of(const tasks::Task& task, std::string_view name) {
  for (const Control& control : controls_of(task))
    if (control.name == name) return control.source;
  return "none";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Controls, ProgramsWriteEveryOutputInItsSize) {
  const tasks::Task task = two_arrays();
  EXPECT_TRUE(contains(source_of(task, "zeros"), "save_filled(\"data/y.bin\", 20, {0, 0, 0, 0});"));
  EXPECT_TRUE(contains(source_of(task, "constant"), "save_filled(\"data/y.bin\", 20, {0, 0, 0, 63});"));
  EXPECT_TRUE(
      contains(source_of(task, "constant"), "save_filled(\"data/k.bin\", 16, {1, 0, 0, 0, 0, 0, 0, 0});"));
  EXPECT_TRUE(
      contains(source_of(task, "identity"), "save_filled(\"data/y.bin\", 20, load(\"data/x.bin\", 48));"));
  EXPECT_TRUE(
      contains(source_of(task, "identity"), "save_filled(\"data/k.bin\", 16, load(\"data/n.bin\", 4));"));
  EXPECT_TRUE(contains(source_of(task, "stale"), "save_stale(\"data/k.bin\", 16);"));
  EXPECT_FALSE(contains(source_of(task, "nothing"), "data/"));
}

TEST(Controls, FunctionsHaveTheDeclaredSignature) {
  tasks::Task task = two_arrays();
  task.kind = tasks::AnswerKind::kFunction;
  task.function.name = "work";
  task.function.parameters = {{"x", "const float*", ""}, {"y", "float*", ""}, {"k", "long long*", ""}};
  EXPECT_TRUE(contains(source_of(task, "zeros"), "\nvoid work(const float* x, float* y, long long* k) {"));
  EXPECT_TRUE(contains(source_of(task, "identity"),
                       "fill<<<256, 256>>>((unsigned char*)y, 20, (const unsigned char*)x, 48);"));
  task.function.kernel = true;
  EXPECT_TRUE(contains(source_of(task, "zeros"), "\n__global__ void work(const float* x,"));
  EXPECT_TRUE(
      contains(source_of(task, "identity"), "spread((unsigned char*)y, 20, (const unsigned char*)x, 48);"));
  EXPECT_EQ(source_of(task, "stale"), "none");
}

TEST(Controls, HaveKernelsAndNothingThatLintSees) {
  for (const Control& control : controls_of(two_arrays())) {
    EXPECT_FALSE(cuda_source::find_kernel_use(control.source).defined.empty()) << control.name;
    EXPECT_FALSE(lint(control.source).has_value()) << control.name;
  }
}

TEST(Controls, NoneForTestsAndModules) {
  tasks::Task task = two_arrays();
  task.kind = tasks::AnswerKind::kTests;
  EXPECT_TRUE(controls_of(task).empty());
  task.kind = tasks::AnswerKind::kProgram;
  task.inputs.clear();
  EXPECT_EQ(source_of(task, "identity"), "none");
}

}  // namespace
}  // namespace cuset::judge
