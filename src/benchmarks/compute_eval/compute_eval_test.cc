#include "benchmarks/compute_eval/compute_eval.h"

#include <gtest/gtest.h>

#include <tuple>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/archive_writer.h"
#include "support/error_text.h"

namespace cuset::benchmarks {
namespace {

base::Json file(const char* path, const char* content) { return {{"path", path}, {"content", content}}; }

// A problem in the benchmark's form, written for this test.
base::Json problem() {
  return {
      {"task_id", "CUDA/7"},
      {"type", "cuda_cpp"},
      {"group", "cuda-kernels"},
      {"prompt", "Write `void negate(int* x, int n)`."},
      {"context_files", base::Json::array({file("include/negate.h", "void negate(int* x, int n);\n")})},
      {"test_files",
       base::Json::array({file("test/test_main.cu", "#include \"../include/negate.h\"\nint main() {}\n")})},
      {"build_command", "nvcc -I include -o test.out solution.cu test/*.cu -arch=sm_80"},
      {"test_command", "./test.out 3 'a b'"},
      {"timeout_seconds", 12.5},
      {"source_references", {{"any", nullptr}, {"all", base::Json::array({"__syncthreads"})}}}};
}

tasks::Task task_of(const base::Json& row) { return parse_compute_eval(row.dump(), "p.jsonl").at(0); }

tasks::Task with(const char* key, const base::Json& value) {
  base::Json row = problem();
  row[key] = value;
  return task_of(row);
}

std::string error_with(const char* key, const base::Json& value) {
  return support::error_of([&] { std::ignore = with(key, value); });
}

TEST(ComputeEval, AProblemBecomesATaskWithTests) {
  const tasks::Task task = task_of(problem());
  EXPECT_EQ(task.id, "CUDA/7");
  EXPECT_EQ(task.benchmark, "compute-eval");
  EXPECT_EQ(task.kind, tasks::AnswerKind::kTests);
  EXPECT_EQ(task.fault, "");
  EXPECT_EQ(task.place, "p.jsonl:1");
  EXPECT_EQ(task.time_limit, 12.5);
  EXPECT_TRUE(task.needs_kernel);
  EXPECT_EQ(task.tests.answer_file, "solution.cu");
  EXPECT_EQ(task.tests.sources, (std::vector<std::string>{"solution.cu", "test/test_main.cu"}));
  EXPECT_EQ(task.tests.include_folders, std::vector<std::string>{"include"});
  EXPECT_EQ(task.tests.arguments, (std::vector<std::string>{"3", "a b"}));
  EXPECT_EQ(task.tests.needs_all, std::vector<std::string>{"__syncthreads"});
  EXPECT_EQ(task.tests.files.size(), 2u);
  EXPECT_NE(task.prompts.at(0).text.find("void negate(int* x, int n);"), std::string::npos);
  EXPECT_EQ(task.prompts.at(0).text.find("test_main"), std::string::npos) << "tests are not shown";
}

TEST(ComputeEval, ReadsAnArchiveAndAPlainFile) {
  const base::TemporaryFolder folder;
  const std::string rows = problem().dump() + "\n\n";
  base::write_file_atomic(folder / "problems.jsonl", rows);
  base::write_file_atomic(
      folder / "pack.tar.gz",
      support::gzipped(support::tar_entry({"metadata.json", "{}"}) +
                       support::tar_entry({"problems.jsonl", rows}) + support::tar_end()));
  EXPECT_EQ(read_compute_eval(folder / "problems.jsonl").size(), 1u);
  EXPECT_EQ(read_compute_eval(folder / "pack.tar.gz").at(0).id, "CUDA/7");
  base::write_file_atomic(
      folder / "other.tar.gz",
      support::gzipped(support::tar_entry({"solutions.jsonl", rows}) + support::tar_end()));
  EXPECT_NE(support::error_of([&] {
              std::ignore = read_compute_eval(folder / "other.tar.gz");
            }).find("no problems.jsonl"),
            std::string::npos);
}

TEST(ComputeEval, TheAnswersFileIsFound) {
  EXPECT_EQ(with("build_command", "nvcc -o test.out src/mine.cu test/*.cu").tests.answer_file, "src/mine.cu");
  EXPECT_EQ(with("build_command", "nvcc -o test.out *.cu test/*.cu").tests.answer_file, "solution.cu");
  base::Json row = problem();
  row["context_files"].push_back(file("src/stub.cu", "// fill me in\n"));
  row["build_command"] = "nvcc -o test.out src/*.cu test/test_main.cu";
  EXPECT_EQ(task_of(row).tests.answer_file, "src/stub.cu");
  EXPECT_EQ(with("build_command", "nvcc -o test.out test/test_main.cu").fault,
            "its build command names no file for the answer");
}

TEST(ComputeEval, WhatCannotBeFollowedIsAFault) {
  const std::tuple<const char*, base::Json, const char*> cases[] = {
      {"build_command", "exit 4", "its build command cannot be understood: it ends with status 4: \"\""},
      {"build_command", "true", "its build command cannot be understood: it does not call nvcc"},
      {"build_command", nullptr, "it has no build command"},
      {"build_command", "nvcc -o test.out ../x.cu test/*.cu",
       "its build command cannot be followed: it names \"../x.cu\""},
      {"build_command", "nvcc -I/etc -o test.out a.cu test/*.cu",
       "its build command cannot be followed: it names \"/etc\""},
      {"test_command", "echo passed", "its test command does not start the program that was built, once"},
      {"test_command", "./test.out || true", "its test command succeeds where the program fails"},
      {"test_command", "./test.out | grep PASS",
       "its test command cannot be followed: it ends with status 1: \"\""},
      {"type", "cuda_python", "a Python problem: only those in CUDA C++ are judged"},
  };
  for (const auto& [key, value, fault] : cases) EXPECT_EQ(with(key, value).fault, fault) << value;
}

TEST(ComputeEval, CommandsAreRunByAShell) {
  const tasks::Task task = with(
      "build_command",
      "[ -f include/negate.h ] && cd . && nvcc -I include -I/usr/local/cuda/include -c solution.cu -o s.o "
      "&& nvcc -std=c++20 s.o test/*.cu -lcublas -o test.out");
  EXPECT_EQ(task.fault, "");
  EXPECT_EQ(task.tests.answer_file, "solution.cu");
  EXPECT_EQ(task.tests.sources, (std::vector<std::string>{"solution.cu", "test/test_main.cu"}));
  EXPECT_EQ(task.tests.include_folders, std::vector<std::string>{"include"});
  EXPECT_EQ(task.tests.nvcc_flags, std::vector<std::string>{"-I/usr/local/cuda/include"});
  EXPECT_EQ(task.tests.libraries, std::vector<std::string>{"cublas"});
  EXPECT_EQ(task.tests.standard, "c++20");
  EXPECT_EQ(with("test_command", "[ -x ./test.out ] && ./test.out $((1 + 2)) 'a b'").tests.arguments,
            (std::vector<std::string>{"3", "a b"}));
}

TEST(ComputeEval, AKernelIsAskedForWhereTheAnswerMustBringOne) {
  EXPECT_FALSE(with("group", "cublas").needs_kernel);
  EXPECT_FALSE(with("group", "cuda-runtime").needs_kernel);
  base::Json row = problem();
  row["context_files"].push_back(file("src/kernel.cu", "__global__ void kernel(int* x) { *x = 1; }\n"));
  EXPECT_FALSE(task_of(row).needs_kernel);
}

TEST(ComputeEval, BadRowsAreNamed) {
  EXPECT_EQ(
      error_with("task_id", 3).find("p.jsonl:1: field 'task_id' must be a string, found the number 3 ("), 0u);
  EXPECT_NE(error_with("test_files", "x").find("field 'test_files' must be a list, found the string \"x\""),
            std::string::npos);
  EXPECT_NE(
      error_with("test_files", base::Json::array({file("../../etc/x", "")}))
          .find("field 'test_files[0].path' must be a path below the problem's folder, found the string "
                "\"../../etc/x\""),
      std::string::npos);
  EXPECT_NE(error_with("timeout_seconds", -1).find("field 'timeout_seconds' must be a time above 0"),
            std::string::npos);
  EXPECT_NE(error_with("source_references", 1)
                .find("field 'source_references' must be a string or a list of strings"),
            std::string::npos);
  const std::string twice = problem().dump() + "\n" + problem().dump();
  EXPECT_NE(support::error_of([&] {
              std::ignore = parse_compute_eval(twice, "p");
            }).find("p:2: the id \"CUDA/7\" appears twice"),
            std::string::npos);
  EXPECT_NE(support::error_of([&] { std::ignore = parse_compute_eval("\n", "p"); }).find("no problems"),
            std::string::npos);
  EXPECT_NE(support::error_of([&] {
              std::ignore = parse_compute_eval(R"({"task_id": "a", "declaration": "", "test": ""})", "p");
            }).find("release archives"),
            std::string::npos);
}

TEST(ComputeEval, ItsOwnSolutionIsKeptForTheAudit) {
  const base::Json baseline = {{"type", "file"},
                               {"files", base::Json::array({file("solution.cu", "// right\n")})}};
  EXPECT_EQ(with("baseline_solution", baseline).oracle.program, "// right\n");
  const base::Json several = {
      {"files", base::Json::array({file("solution.cu", "// right\n"), file("src/more.h", "// more\n")})}};
  EXPECT_EQ(with("baseline_solution", several).oracle.program,
            "// file: solution.cu\n// right\n\n// file: src/more.h\n// more\n\n");
}

}  // namespace
}  // namespace cuset::benchmarks
