#include "benchmarks/cudabench/cudabench.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/json/jsonl.h"
#include "benchmarks/cudabench/cudabench_program.h"

namespace cuset::benchmarks {
namespace {

std::string dump(const std::vector<WrittenFile>& files) {
  std::string text;
  for (const WrittenFile& file : files)
    text += fmt::format("{} {} {}\n", file.name, file.type ? tasks::name_of(*file.type) : "?",
                        file.count.value_or(-1));
  return text;
}

TEST(CudaBenchProgram, FindsTheFilesThatAreWritten) {
  const std::pair<const char*, const char*> kPrograms[] = {
      {"const int N = 1 << 10; void write_binary(const std::string& f, const float* d, size_t n) {}\n"
       "int main() { float* h = new float[N]; write_binary(\"data/y.bin\", h, N * 2); }",
       "y float32 2048\n"},
      {"#define N 64\n#define M (N * 2)\nvoid save(const char* f, const void* d, size_t n) { }\n"
       "int main() { std::vector<int> h(M); std::string out = \"./data/y.bin\"; save(out, h.data(), M * "
       "sizeof(int)); }",
       "y int32 128\n"},
      {"int main() { float h; std::ofstream out(\"data/y.bin\", std::ios::binary);\n"
       "out.write(reinterpret_cast<char*>(&h), sizeof(float)); }",
       "y float32 1\n"},
      {"int main() { float3* h; FILE* f = fopen(\"data/y.bin\", \"wb\"); fwrite(h, sizeof(float3), 8, f); }",
       "y float32 24\n"},
      {"int main() { unsigned char* h; write(\"data/y.bin\", h, unknown); }", "y uint8 -1\n"},
      {"int main() { read_binary(\"data/x.bin\", h, 4); }", ""},
      {"void w(const std::string& f, const float* d, size_t n) { std::ofstream o(f); o.write((char*)d, n * "
       "4); }",
       ""},
      {"int main() { float *h; const size_t n = (size_t)4 * 5; put(\"y.bin\", h, static_cast<int>(n) - 1); }",
       "y float32 19\n"},
  };
  for (const auto& [source, expected] : kPrograms)
    EXPECT_EQ(dump(files_written_by(source)), expected) << source;
}

base::Json row() {
  base::Json result = {
      {"id", 7},
      {"task_name", "Scale"},
      {"bench.cu", "int main() { float* h; write(\"data/y.bin\", h, 12); }"},
      {"gen.py", "import numpy as np\nnp.random.rand(12).astype(np.float32).tofile('data/x.bin')\n"},
      {"compare.py", "print('T')\n"},
      {"level1_prompt", "Scale all."},
      {"level3_prompt", "Scale."}};
  result["inputs"] = base::Json::array({{{"name", "x"}, {"dtype", "float32"}, {"shape", "(3, 4)"}}});
  result["outputs"] = base::Json::array({{{"name", "y"}, {"dtype", "float32"}, {"shape", "(3, 4)"}}});
  return result;
}

TEST(CudaBench, ARowBecomesATask) {
  const tasks::Task task = task_of_cudabench_row(row(), "rows.jsonl:3");
  EXPECT_EQ(task.id, "7");
  EXPECT_EQ(task.family, "Scale");
  EXPECT_EQ(task.benchmark, "cudabench");
  EXPECT_EQ(task.place, "rows.jsonl:3");
  EXPECT_EQ(task.kind, tasks::AnswerKind::kProgram);
  ASSERT_EQ(task.prompts.size(), 2u);
  EXPECT_EQ(task.prompts[1].level, "3");
  EXPECT_EQ(task.inputs[0].shape, (tasks::Shape{3, 4}));
  EXPECT_EQ(task.outputs[0].shape, (tasks::Shape{3, 4}));
  EXPECT_EQ(task.compare_script, "print('T')\n");
  EXPECT_EQ(task.input_script, row()["gen.py"].get<std::string>());
  EXPECT_EQ(task.oracle.program, row()["bench.cu"].get<std::string>());
  EXPECT_EQ(task.fault, "");
}

TEST(CudaBench, WhatTheProgramWritesDecides) {
  base::Json changed = row();
  changed["bench.cu"] =
      "int main() { int* h; write(\"data/y.bin\", h, 30); float* g; write(\"data/z.bin\", g, 5); }";
  changed["outputs"][0]["shape"] = "(1,)";
  const tasks::Task task = task_of_cudabench_row(changed, "rows.jsonl:3");
  ASSERT_EQ(task.outputs.size(), 2u);
  EXPECT_EQ(task.outputs[0].type, tasks::NumberType::kInt32);
  EXPECT_EQ(task.outputs[0].shape, (tasks::Shape{30}));
  EXPECT_EQ(task.outputs[0].tolerance.absolute, 0);
  EXPECT_EQ(task.outputs[1].name, "z");
  EXPECT_EQ(task.outputs[1].shape, (tasks::Shape{5}));
}

TEST(CudaBench, ATaskWithoutOutputIsFaulty) {
  base::Json changed = row();
  changed["outputs"] = base::Json::array();
  changed["bench.cu"] = "int main() {}";
  EXPECT_EQ(task_of_cudabench_row(changed, "f:1").fault, "declares no output, and none is found in bench.cu");
  changed["outputs"] = row()["outputs"];
  EXPECT_EQ(task_of_cudabench_row(changed, "f:1").fault, "bench.cu does not write data/y.bin");
}

TEST(CudaBench, MalformedRowsNameThePlace) {
  const std::tuple<const char*, base::Json, const char*> kChanges[] = {
      {"gen.py", 3, "f:1: field 'gen.py' must be a string, found the number 3"},
      {"inputs", "x", "f:1: field 'inputs' must be a list, found the string \"x\""},
      {"outputs", base::Json::array({{{"name", "y"}, {"dtype", "float33"}, {"shape", "()"}}}),
       "f:1: field 'outputs[0].dtype' must be a number type, found the string \"float33\""},
      {"outputs", base::Json::array({{{"name", "y"}, {"dtype", "float32"}, {"shape", "(a)"}}}),
       "f:1: field 'outputs[0].shape' must be a shape such as \"(2, 3)\", found the string \"(a)\""},
  };
  for (const auto& [key, value, message] : kChanges) {
    base::Json changed = row();
    changed[key] = value;
    try {
      task_of_cudabench_row(changed, "f:1");
      ADD_FAILURE() << key;
    } catch (const base::Error& error) {
      EXPECT_EQ(std::string(error.what()), message);
    }
  }
  base::Json without = row();
  without.erase("bench.cu");
  EXPECT_THROW(task_of_cudabench_row(without, "f:1"), base::Error);
}

TEST(CudaBench, AllRowsOfTheFixtureAreTasks) {
  const char* const folder = std::getenv("CUSET_FIXTURES");
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "../shared/fixtures") /
      "benchmarks/cudabench-open.jsonl";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path << " (set CUSET_FIXTURES)";
  base::JsonlReader reader(path);
  std::set<std::string> ids;
  size_t rows = 0;
  while (const auto record = reader.next()) {
    const tasks::Task task = task_of_cudabench_row(*record, reader.place());
    ids.insert(task.id);
    ++rows;
    EXPECT_EQ(task.fault, "") << task.id;
    EXPECT_EQ(task.prompts.size(), 3u) << task.id;
    ASSERT_FALSE(task.outputs.empty()) << task.id;
    for (const tasks::TaskOutput& output : task.outputs) {
      EXPECT_EQ(output.tolerance.absolute > 0, tasks::is_floating(output.type)) << task.id;
    }
  }
  EXPECT_EQ(ids.size(), rows);
}

}  // namespace
}  // namespace cuset::benchmarks
