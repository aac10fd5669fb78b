// Audits of small tasks through the CPU executor: what makes a task good, faulty or unjudged.
#include "judge/audit/audit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "benchmarks/benchmark_judge.h"
#include "support/test_executor.h"

namespace cuset::tests {
namespace {

// Reads x (256 floats), writes y: `operation` of the value and its place.
std::string program(const std::string& operation) {
  return R"(#include <cuda_runtime.h>
#include <cstdio>
__global__ void work(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = )" +
         operation + R"(;
}
int main() {
  float host[256];
  FILE* in = fopen("data/x.bin", "rb");
  if (fread(host, 4, 256, in) != 256) return 1;
  float *x, *y;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  work<<<8, 32>>>(x, y, 256);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  FILE* out = fopen("data/y.bin", "wb");
  fwrite(host, 4, 256, out);
  fclose(out);
}
)";
}

class Audit : public WithCpuExecutor<testing::Test> {
 protected:
  void prepare() override { judge_ = std::make_unique<judge::Judge>(*executor_, judge::JudgeSettings()); }

  static tasks::Task task(const std::string& operation) {
    tasks::Task task;
    task.id = operation;
    task.inputs = {{"x", tasks::NumberType::kFloat32, {256}, {}}};
    task.outputs = {{"y", tasks::NumberType::kFloat32, {256}, {1e-3, 1e-3}}};
    task.oracle.program = program(operation);
    return task;
  }

  static judge::Outcome outcome_of(const judge::TaskAudit& audit, std::string_view name) {
    for (const judge::AuditedAnswer& answer : audit.answers)
      if (answer.name == name) return answer.outcome;
    return judge::Outcome::kFaultyTask;
  }

  std::unique_ptr<judge::Judge> judge_;
};

TEST_F(Audit, WrongVersionsOfAGoodTaskAreCaught) {
  const judge::TaskAudit audit = judge::audit_task(*judge_, task("2.5f * x[i] - expf(-x[i])"), {});
  EXPECT_EQ(audit.mark, "good") << base::to_json_line(judge::json_of(audit));
  EXPECT_TRUE(audit.reference_correct);
  for (const char* control : {"zeros", "constant", "identity", "stale"})
    EXPECT_EQ(outcome_of(audit, control), judge::Outcome::kWrongOutput) << control;
  EXPECT_EQ(outcome_of(audit, "nothing"), judge::Outcome::kWrongShape);
  for (const char* kind : {"off_by_one_bound", "swapped_operator", "half_precision", "wrong_launch_size"})
    EXPECT_EQ(outcome_of(audit, kind), judge::Outcome::kWrongOutput) << kind;
  // 8 * 32 threads for 256 numbers: the guard lets all of them pass.
  ASSERT_EQ(audit.equivalent.size(), 1u) << base::to_json_line(judge::json_of(audit));
  EXPECT_TRUE(audit.equivalent[0].starts_with("missing_guard, line 5: the guard `if (i < n)`"));
}

TEST_F(Audit, ACopyIsTheRightAnswerOfACopyingTask) {
  judge::AuditOptions options;
  options.mutants = false;
  const judge::TaskAudit audit = judge::audit_task(*judge_, task("x[i]"), options);
  EXPECT_EQ(outcome_of(audit, "identity"), judge::Outcome::kCorrect);
  EXPECT_EQ(audit.mark, "good") << base::to_json_line(judge::json_of(audit));
}

TEST_F(Audit, AReferenceWithoutOutputIsFaulty) {
  tasks::Task faulty = task("x[i]");
  faulty.oracle.program = "__global__ void work() {}\nint main() { work<<<1, 1>>>(); }\n";
  const judge::TaskAudit audit = judge::audit_task(*judge_, faulty, {});
  EXPECT_EQ(audit.mark, "faulty");
  EXPECT_FALSE(audit.reference_correct);
  EXPECT_EQ(audit.answers.size(), 1u);
}

TEST_F(Audit, TheSolutionsThatABenchmarkBringsAreJudgedByItsTests) {
  const auto judge = benchmarks::make_benchmark_judge(*executor_, judge::JudgeSettings());
  tasks::Task tests;
  tests.id = "tests";
  tests.kind = tasks::AnswerKind::kTests;
  tests.tests.files = {{"test.cu",
                        "void set(int*);\nint main() { int h = 0, *d; cudaMalloc(&d, 4); set(d);\n"
                        "cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return h == 5 ? 0 : 1; }\n"}};
  tests.tests.answer_file = "solution.cu";
  tests.tests.sources = {"solution.cu", "test.cu"};
  EXPECT_EQ(judge::audit_task(*judge, tests, {}).mark, "unjudged") << "no solution";
  const auto solution = [](int value) {
    return fmt::format(
        "__global__ void set_it(int* x) {{ *x = {}; }}\n"
        "void set(int* x) {{ set_it<<<1, 1>>>(x); }}\n",
        value);
  };
  tests.oracle.program = solution(5);
  const judge::TaskAudit good = judge::audit_task(*judge, tests, {});
  EXPECT_EQ(good.mark, "good") << base::to_json_line(judge::json_of(good));
  tests.oracle.program = solution(4);
  const judge::TaskAudit faulty = judge::audit_task(*judge, tests, {});
  EXPECT_EQ(faulty.mark, "faulty");
  ASSERT_EQ(faulty.answers.size(), 1u);
  EXPECT_EQ(faulty.answers[0].explanation, "its tests ended with status 1");
}

}  // namespace
}  // namespace cuset::tests
