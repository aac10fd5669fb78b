#include "verify/benchmarks/cudabench/cudabench.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/jsonl.h"
#include "verify/benchmarks/cudabench/cudabench_compare.h"
#include "verify/benchmarks/cudabench/cudabench_program.h"

namespace cuset {
namespace {

// A compare.py around the line that decides.
std::string comparer(const std::string& decision) {
  return "import numpy as np\nimport os\nTOL = 1e-2\ndef read(name, dtype, n):\n"
         "    return np.fromfile(name, dtype=dtype, count=n)\n"
         "def check(a_file, b_file, size, tolerance=1e-5):\n    if not os.path.exists(a_file):\n        "
         "return False\n"
         "    a = read(a_file, np.float32, size)\n    b = read(b_file, np.float32, size)\n"
         "    if a.shape != b.shape:\n        return False\n    diff = np.abs(a - b)\n    return " +
         decision +
         "\nif __name__ == '__main__':\n    if check('data/y.bin', './data/y_ref.bin', 64 * 64):\n        "
         "print('T')\n"
         "    else:\n        print('F')\n        exit(1)\n";
}

TEST(CudaBenchCompare, FindsTheToleranceOfAnyForm) {
  const std::tuple<const char*, double, double> kForms[] = {
      {"np.all(diff < tolerance)", 1e-5, 0},
      {"np.max(diff) <= TOL", 1e-2, 0},
      {"np.allclose(a, b, atol=tolerance)", 1e-5, 1e-5},
      {"np.allclose(a, b, rtol=1e-3, atol=0.5)", 0.5, 1e-3},
      {"np.isclose(a, b, rtol=2e-4, atol=3e-6).all()", 3e-6, 2e-4},
      {"not (diff > tolerance + 1e-4 * np.abs(b)).any()", 1e-5, 1e-4},
      {"np.mean(diff) < 2.5e-3", 2.5e-3, 0},
      {"np.count_nonzero(diff > tolerance) == 0", 1e-5, 0},
      {"np.linalg.norm(a - b) <= 1e-3 * np.linalg.norm(b) + 1e-30", 0, 1e-3},
      {"abs(a[0] - b[0]) < TOL", 1e-2, 0},
      {"np.all(diff.reshape(64, 64)[1:] < tolerance)", 1e-5, 0},
      {"diff.max() < tolerance and diff.mean() < 1", 1e-5, 0},
  };
  for (const auto& [decision, absolute, relative] : kForms) {
    const auto files = files_compared(comparer(decision), {{"y", 4096}});
    ASSERT_EQ(files.size(), 2u) << decision;
    EXPECT_EQ(files[0].name, "y");
    EXPECT_EQ(files[0].type, NumberType::kFloat32);
    EXPECT_EQ(files[0].count, 4096);
    ASSERT_TRUE(files[0].tolerance) << decision;
    EXPECT_NEAR(files[0].tolerance->absolute, absolute, absolute * 1e-6 + 1e-12) << decision;
    EXPECT_NEAR(files[0].tolerance->relative, relative, relative * 1e-2) << decision;
  }
}

TEST(CudaBenchCompare, AnOutputThatAnyNumberPassesHasNoTolerance) {
  const auto files = files_compared(comparer("True"), {{"y", 4096}});
  ASSERT_FALSE(files.empty());
  EXPECT_FALSE(files[0].tolerance);
}

TEST(CudaBenchCompare, WhatIsNotUnderstoodGivesNothing) {
  EXPECT_TRUE(files_compared("import numpy as np\nnp.unknown()\n", {}).empty());
  EXPECT_TRUE(files_compared("x = (\n", {}).empty());
  EXPECT_TRUE(files_compared("print('F')\n", {}).empty());
}

std::string dump(const std::vector<WrittenFile>& files) {
  std::string text;
  for (const WrittenFile& file : files)
    text +=
        fmt::format("{} {} {}\n", file.name, file.type ? name_of(*file.type) : "?", file.count.value_or(-1));
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

Json row() {
  Json result = {
      {"id", 7},
      {"task_name", "Scale"},
      {"bench.cu", "int main() { float* h; write(\"data/y.bin\", h, 12); }"},
      {"gen.py", "import numpy as np\nnp.random.rand(12).astype(np.float32).tofile('data/x.bin')\n"},
      {"compare.py", comparer("np.all(diff < 1e-3)")},
      {"level1_prompt", "Scale all."},
      {"level3_prompt", "Scale."}};
  result["inputs"] = Json::array({{{"name", "x"}, {"dtype", "float32"}, {"shape", "(3, 4)"}}});
  result["outputs"] = Json::array({{{"name", "y"}, {"dtype", "float32"}, {"shape", "(3, 4)"}}});
  return result;
}

TEST(CudaBench, ARowBecomesATask) {
  const Task task = task_of_cudabench_row(row(), "rows.jsonl:3");
  EXPECT_EQ(task.id, "7");
  EXPECT_EQ(task.family, "Scale");
  EXPECT_EQ(task.benchmark, "cudabench");
  EXPECT_EQ(task.place, "rows.jsonl:3");
  EXPECT_EQ(task.kind, AnswerKind::kProgram);
  ASSERT_EQ(task.prompts.size(), 2u);
  EXPECT_EQ(task.prompts[1].level, "3");
  EXPECT_EQ(task.inputs[0].shape, (Shape{3, 4}));
  EXPECT_EQ(task.outputs[0].shape, (Shape{3, 4}));
  EXPECT_DOUBLE_EQ(task.outputs[0].tolerance.absolute, 1e-3);
  EXPECT_EQ(task.input_script, row()["gen.py"].get<std::string>());
  EXPECT_EQ(task.oracle.program, row()["bench.cu"].get<std::string>());
  EXPECT_EQ(task.fault, "");
}

TEST(CudaBench, WhatTheProgramWritesDecides) {
  Json changed = row();
  changed["bench.cu"] =
      "int main() { int* h; write(\"data/y.bin\", h, 30); float* g; write(\"data/z.bin\", g, 5); }";
  changed["outputs"][0]["shape"] = "(1,)";
  const Task task = task_of_cudabench_row(changed, "rows.jsonl:3");
  ASSERT_EQ(task.outputs.size(), 2u);
  EXPECT_EQ(task.outputs[0].type, NumberType::kInt32);
  EXPECT_EQ(task.outputs[0].shape, (Shape{30}));
  EXPECT_EQ(task.outputs[0].tolerance.absolute, 0);
  EXPECT_EQ(task.outputs[1].name, "z");
  EXPECT_EQ(task.outputs[1].shape, (Shape{5}));
}

TEST(CudaBench, ATaskWithoutOutputIsFaulty) {
  Json changed = row();
  changed["outputs"] = Json::array();
  changed["bench.cu"] = "int main() {}";
  EXPECT_EQ(task_of_cudabench_row(changed, "f:1").fault, "declares no output, and none is found in bench.cu");
  changed["outputs"] = row()["outputs"];
  EXPECT_EQ(task_of_cudabench_row(changed, "f:1").fault, "bench.cu does not write data/y.bin");
}

TEST(CudaBench, MalformedRowsNameThePlace) {
  const std::tuple<const char*, Json, const char*> kChanges[] = {
      {"gen.py", 3, "f:1: field 'gen.py' must be a string, found the number 3"},
      {"inputs", "x", "f:1: field 'inputs' must be a list, found the string \"x\""},
      {"outputs", Json::array({{{"name", "y"}, {"dtype", "float33"}, {"shape", "()"}}}),
       "f:1: field 'outputs[0].dtype' must be a number type, found the string \"float33\""},
      {"outputs", Json::array({{{"name", "y"}, {"dtype", "float32"}, {"shape", "(a)"}}}),
       "f:1: field 'outputs[0].shape' must be a shape such as \"(2, 3)\", found the string \"(a)\""},
  };
  for (const auto& [key, value, message] : kChanges) {
    Json changed = row();
    changed[key] = value;
    try {
      task_of_cudabench_row(changed, "f:1");
      ADD_FAILURE() << key;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), message);
    }
  }
  Json without = row();
  without.erase("bench.cu");
  EXPECT_THROW(task_of_cudabench_row(without, "f:1"), Error);
}

TEST(CudaBench, AllRowsOfTheFixtureAreTasks) {
  const char* const folder = std::getenv("CUSET_FIXTURES");
  const std::filesystem::path path =
      std::filesystem::path(folder != nullptr ? folder : "../shared/fixtures") /
      "benchmarks/cudabench-open.jsonl";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path << " (set CUSET_FIXTURES)";
  JsonlReader reader(path);
  std::set<std::string> ids;
  size_t rows = 0;
  while (const auto record = reader.next()) {
    const Task task = task_of_cudabench_row(*record, reader.place());
    ids.insert(task.id);
    ++rows;
    EXPECT_EQ(task.fault, "") << task.id;
    EXPECT_EQ(task.prompts.size(), 3u) << task.id;
    ASSERT_FALSE(task.outputs.empty()) << task.id;
    for (const TaskOutput& output : task.outputs) {
      EXPECT_EQ(output.tolerance.absolute > 0, is_floating(output.type)) << task.id;
      // 1e-3 is what stands in for a compare.py that is not understood.
      EXPECT_LT(output.tolerance.relative, 1e-3) << task.id;
    }
  }
  EXPECT_EQ(ids.size(), rows);
}

}  // namespace
}  // namespace cuset
