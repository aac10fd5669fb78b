#include "benchmarks/pareval/pareval.h"

#include <gtest/gtest.h>

#include <tuple>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

// A checkout in ParEval's form, written for this test.
class ParEval : public testing::Test {
 protected:
  void SetUp() override {
    write(
        "prompts/generation-prompts.json",
        R"([{"problem_type": "scale", "language": "cpp", "name": "00_scale_twice", "parallelism_model": "omp",
               "prompt": "void twice(double *x) {"},
              {"problem_type": "scale", "language": "cpp", "name": "00_scale_twice", "parallelism_model": "cuda",
               "prompt": "__global__ void twice(double *x, size_t n) {"},
              {"problem_type": "scale", "language": "cpp", "name": "01_scale_none", "parallelism_model": "cuda",
               "prompt": "__global__ void none(double *x) {"}])");
    write("drivers/cpp/utilities.hpp", "#pragma once\n");
    write("drivers/cpp/benchmarks/scale/00_scale_twice/gpu.cu", "#include \"generated-code.cuh\"\n");
    write("drivers/cpp/benchmarks/scale/00_scale_twice/baseline.hpp", "void correct_twice();\n");
  }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    base::write_file_atomic(folder_ / file, text);
  }

  base::TemporaryFolder folder_;
};

TEST_F(ParEval, CudaPromptsBecomeTasksWithTheirDriver) {
  for (const char* named : {"", "prompts", "prompts/generation-prompts.json"}) {
    const std::vector<tasks::Task> tasks = read_pareval(folder_ / named);
    ASSERT_EQ(tasks.size(), 2u);
    const tasks::Task& task = tasks[0];
    EXPECT_EQ(task.id, "00_scale_twice");
    EXPECT_EQ(task.family, "00_scale_twice");
    EXPECT_EQ(task.kind, tasks::AnswerKind::kTests);
    EXPECT_EQ(task.fault, "");
    EXPECT_EQ(task.tests.answer_file, "generated-code.cuh");
    EXPECT_EQ(task.tests.sources, (std::vector<std::string>{"driver.cu", "main.cu"}));
    EXPECT_EQ(task.tests.arguments, std::vector<std::string>{"{seed}"});
    EXPECT_EQ(task.prompts.at(0).text, "__global__ void twice(double *x, size_t n) {");
    EXPECT_EQ(tasks[1].fault, "the checkout has no baseline.hpp for it");
  }
}

TEST_F(ParEval, WhatIsNoCheckoutIsNamed) {
  const auto error = [&](const char* named) {
    return support::error_of([&] { std::ignore = read_pareval(folder_ / named); });
  };
  EXPECT_NE(error("drivers").find("no prompts/generation-prompts.json"), std::string::npos);
  write("alone/deep/generation-prompts.json", "[]");
  EXPECT_NE(error("alone/deep").find("no drivers/cpp/benchmarks"), std::string::npos) << error("alone/deep");
  write("prompts/generation-prompts.json", "[]");
  EXPECT_NE(error("").find("no prompt asks for CUDA"), std::string::npos);
  write("prompts/generation-prompts.json",
        R"([{"parallelism_model": "cuda", "problem_type": "../x", "name": "a"}])");
  EXPECT_NE(error("").find("[0].problem_type' must be the name of a folder, found the string \"../x\""),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::benchmarks
