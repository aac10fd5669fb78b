#include "benchmarks/kernelbench/kernelbench.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "base/json/jsonl.h"
#include "support/error_text.h"

namespace cuset::benchmarks {
namespace {

base::Json row() {
  return {{"level", 1},
          {"problem_id", 19},
          {"name", "19_Double"},
          {"code",
           "class Model(nn.Module):\n  pass\ndef get_inputs():\n  pass\ndef get_init_inputs():\n  pass\n"}};
}

TEST(KernelBench, ARowBecomesAModuleTask) {
  const tasks::Task task = task_of_kernelbench_row(row(), "k.jsonl:1");
  EXPECT_EQ(task.id, "kernelbench/1/19");
  EXPECT_EQ(task.family, "19_Double");
  EXPECT_EQ(task.kind, tasks::AnswerKind::kModule);
  EXPECT_EQ(task.benchmark, "kernelbench");
  EXPECT_EQ(task.fault, "");
  EXPECT_TRUE(task.needs_kernel);
  EXPECT_EQ(task.module, row()["code"].get<std::string>());
  EXPECT_NE(task.prompts.at(0).text.find("class Model(nn.Module)"), std::string::npos);
}

TEST(KernelBench, APrecisionIsPartOfTheModule) {
  base::Json half = row();
  half["precision"] = "bf16";
  const tasks::Task task = task_of_kernelbench_row(half, "k.jsonl:1");
  EXPECT_EQ(task.id, "kernelbench/1/19/bfloat16");
  EXPECT_NE(task.module.find("precision = torch.bfloat16"), std::string::npos);
  half["precision"] = "fp32";
  EXPECT_EQ(task_of_kernelbench_row(half, "k").id, "kernelbench/1/19");
  half["precision"] = "fp8";
  EXPECT_NE(support::error_of([&] {
              std::ignore = task_of_kernelbench_row(half, "k");
            }).find("field 'precision' must be fp32, fp16 or bf16, found the string \"fp8\""),
            std::string::npos);
}

TEST(KernelBench, BadRowsAreNamed) {
  const auto error_with = [](const char* key, const base::Json& value) {
    base::Json changed = row();
    changed[key] = value;
    return support::error_of([&] { std::ignore = task_of_kernelbench_row(changed, "k.jsonl:1"); });
  };
  EXPECT_EQ(
      error_with("code", 1),
      "k.jsonl:1: field 'code' must be a string, found the number 1 (rows of KernelBench have level, name "
      "and code)");
  EXPECT_NE(error_with("name", "../x")
                .find("field 'name' must be a plain name such as 19_ReLU, found the string \"../x\""),
            std::string::npos);
  EXPECT_NE(error_with("level", "one").find("field 'level' must be a whole number, found the string \"one\""),
            std::string::npos);
  base::Json changed = row();
  changed["code"] = "print(1)";
  EXPECT_EQ(task_of_kernelbench_row(changed, "k").fault, "its code has no `class Model(`");
  changed.erase("problem_id");
  EXPECT_EQ(task_of_kernelbench_row(changed, "k").id, "kernelbench/1/19") << "the number opens the name";
}

TEST(KernelBench, AllRowsOfTheFixtureAreTasks) {
  const char* set = std::getenv("CUSET_FIXTURES");
  const std::filesystem::path file = std::filesystem::path(set != nullptr ? set : "../shared/fixtures") /
                                     "benchmarks/kernelbench-open.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no fixtures: set CUSET_FIXTURES";
  base::JsonlReader reader(file);
  size_t rows = 0;
  while (const auto record = reader.next()) {
    EXPECT_EQ(task_of_kernelbench_row(*record, reader.place()).fault, "") << reader.place();
    ++rows;
  }
  EXPECT_GT(rows, 100u);
}

}  // namespace
}  // namespace cuset::benchmarks
