// Programs without a task, run on the CPU executor.
#include "curate/trial/kernel_trial.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "curate/trial/trial_program.h"
#include "support/test_executor.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

class KernelTrials : public tests::WithCpuExecutor<testing::Test> {
 protected:
  TrialResult run(const std::string& program) { return try_program(*executor_, program, options_); }
  // Its reason, or "clean".
  std::string tried(const std::string& program) {
    const TrialResult result = run(program);
    last_ = result.detail;
    return result.is_clean() ? "clean" : result.reason;
  }

  TrialOptions options_;
  std::string last_;
};

TEST_F(KernelTrials, CleanKernelsOfManyFormsPass) {
  const std::vector<std::string> programs = {
      "__global__ void scale(const float* x, float* y, float a, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i];\n}\n",
      // No guard: the buffers are large.
      "__global__ void copy(const double* x, double* y) { int i = blockIdx.x * 256 + threadIdx.x; y[i] = x[i]; }\n",
      "#define TILE 16\nnamespace a {\ntemplate <typename T>\n__global__ void transpose(const T* in, T* out, int rows, int cols) {\n"
      "  __shared__ T tile[TILE][TILE + 1];\n  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
      "  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];\n  __syncthreads();\n"
      "  x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;\n"
      "  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];\n}\n}\n",
      // The order of the additions changes the last digits of the sum.
      "__global__ void total(const float* x, float* sum, int n) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(sum, x[i]);\n}\n",
      "__global__ void halves(const __half* x, __half* y, int n) { int i = threadIdx.x; if (i < n) y[i] = __hadd(x[i], x[i]); }\n",
      "__global__ void four(const float4* x, float4* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = make_float4(x[i].w, x[i].z, x[i].y, x[i].x);\n}\n",
      // One size that is the side of a matrix: the usual guess leads out of the buffers, the small one does not.
      "__global__ void rows(const float* m, float* y, int n) {\n  int r = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (r >= n) return;\n  float s = 0;\n  for (int c = 0; c < n; ++c) s += m[r * n + c];\n  y[r] = s;\n}\n",
      "__global__ void spmv(const int* row_ptr, const int* cols, const float* v, const float* x, float* y, int n) {\n"
      "  int r = blockIdx.x * blockDim.x + threadIdx.x;\n  if (r >= n) return;\n  float s = 0;\n"
      "  for (int j = row_ptr[r]; j < row_ptr[r + 1]; ++j) s += v[j] * x[cols[j]];\n  y[r] = s;\n}\n",
  };
  for (const std::string& program : programs) EXPECT_EQ(tried(program), "clean") << last_ << "\n" << program;
}

TEST_F(KernelTrials, WhatIsWrongHasAReason) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"__device__ int f(int x) { return x; }\n", "no_kernel"},
      {"__global__ void f(int* x) { x[0] = undeclared; }\n", "compile_error"},
      {"__global__ void f(int* x, int n) { x[threadIdx.x - 40000 * n] = 1; }\n", "out_of_bounds"},
      {"__global__ void f(int* x) { __shared__ int s[64]; s[threadIdx.x / 2] = threadIdx.x; __syncthreads(); x[threadIdx.x] = s[threadIdx.x / 2]; }\n",
       "shared_race"},
      {"__global__ void last(int* x, int n) { x[0] = blockIdx.x * blockDim.x + threadIdx.x; }\n",
       "global_race"},
      {"__global__ void place(int* x, int* next, int n) { x[atomicAdd(next, 1)] = threadIdx.x; }\n",
       "order_dependent"},
      {"struct Big { float* x; int n; };\n__global__ void f(Big b) { if (threadIdx.x < b.n) b.x[threadIdx.x] = 1; }\n",
       "no_harness"},
      {"__global__ void f(float** x) { x[0][0] = 1; }\n", "no_harness"},
      {"__global__ void f(float* x) { x[0] = 1; }\n__global__ void f(int* x) { x[0] = 1; }\n", "no_harness"},
  };
  for (const auto& [program, reason] : cases) EXPECT_EQ(tried(program), reason) << last_ << "\n" << program;
  EXPECT_EQ(run(cases[1].first).detail.find("/tmp"), std::string::npos);
}

TEST_F(KernelTrials, AWholeProgramIsRunItself) {
  const auto program = [](const std::string& kernel, const std::string& rest) {
    return "#include <cstdio>\n__global__ void f(int* x) { " + kernel + " }\n" +
           "int main() {\n  int* x; cudaMalloc(&x, 4 * 64); cudaMemset(x, 0, 4 * 64);\n" + rest +
           "  int h[64]; cudaMemcpy(h, x, 4 * 64, cudaMemcpyDeviceToHost);\n  printf(\"%d\\n\", h[0]);\n  return 0;\n}\n";
  };
  EXPECT_EQ(tried(program("x[threadIdx.x] = threadIdx.x;", "  f<<<1, 64>>>(x);\n")), "clean") << last_;
  EXPECT_EQ(run(program("x[threadIdx.x] = threadIdx.x;", "  f<<<1, 64>>>(x);\n")).how, "program");
  EXPECT_EQ(tried(program("x[0] = threadIdx.x;", "  f<<<1, 64>>>(x);\n")), "global_race") << last_;
  EXPECT_EQ(tried(program("x[atomicAdd(x + 63, 1)] = threadIdx.x + 1;", "  f<<<1, 32>>>(x);\n")),
            "order_dependent")
      << last_;
  EXPECT_EQ(tried(program("x[threadIdx.x] = 1;", "")), "no_launch");
  EXPECT_EQ(tried(program("x[threadIdx.x] = 1;", "  f<<<1, 64>>>(x);\n  return 3;\n")), "failed");
  EXPECT_EQ(tried(program("x[threadIdx.x + 1] = 1;", "  f<<<1, 64>>>(x);\n")), "out_of_bounds");
}

TEST_F(KernelTrials, AProposalDecidesTheInputs) {
  const support::TestFolder folder;
  // Without the proposal a divisor of 0 could not come up: values by name are sizes.
  const std::string program =
      "__global__ void f(int* x, int n) { int i = threadIdx.x; if (i < n) x[n == 3 ? i - 70000 : i] = 1; }\n";
  EXPECT_EQ(tried(program), "clean") << last_;
  const auto propose = [&](const std::string& answer) {
    const auto file = folder.write("answer.json", answer);
    options_.command.arguments = {"/bin/sh", "-c", "grep -q '\"name\":\"f\"' && cat " + file.string()};
  };
  propose(
      R"({"prompt": "Set ones.", "kernels": [{"name": "f", "sets": [{"grid": [1, 1, 1], "block": [32, 1, 1],
              "values": {"n": 3}, "buffers": {"x": {"count": 64, "low": 0, "high": 9}}}]}]})");
  TrialResult result = run(program);
  EXPECT_EQ(result.reason, "out_of_bounds");
  EXPECT_EQ(result.how, "proposal");
  EXPECT_EQ(result.prompt, "Set ones.");
  propose("{\"kernels\": []}");
  result = run(program);
  EXPECT_TRUE(result.is_clean());
  EXPECT_EQ(result.how, "signature");
  EXPECT_EQ(result.proposal_fault, "the proposal: field 'kernels' has 0 kernels, wanted 1");
  options_.command.arguments = {"/bin/sh", "-c", "exit 3"};
  EXPECT_TRUE(run(program).proposal_fault.starts_with("the command ended with status 3"));
  options_.command.arguments = {"/bin/sleep", "60"};
  options_.command.time_limit = std::chrono::milliseconds(50);
  EXPECT_EQ(run(program).proposal_fault, "the command took longer than 0.05 s");
}

TEST(TrialOutput, DamagedFilesAreNothing) {
  const support::TestFolder folder;
  const auto bytes_of = [](const std::vector<double>& words) {
    return std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(double));
  };
  const auto read = [&](const std::string& bytes) {
    return read_trial_output(folder.write("out.bin", bytes));
  };
  EXPECT_EQ(read(bytes_of({2, 1, 5, 6, 0, 0})).size(), 2u);
  EXPECT_EQ(read(bytes_of({2, 1, 5, 6}))[0].numbers, (std::vector<double>{5, 6}));
  for (const std::vector<double>& damaged : std::vector<std::vector<double>>{
           {2, 1, 5}, {2}, {-1, 0}, {1e300, 0}, {0.0 / 0.0, 0}, {1, 7, 0}, {1, 0.0 / 0.0, 0}})
    EXPECT_TRUE(read(bytes_of(damaged)).empty());
  EXPECT_TRUE(read("abc").empty());
  EXPECT_TRUE(read_trial_output(folder.path() / "none").empty());
}

TEST(TrialOutput, SumsMayDifferByRoundingAndWholeNumbersNotAtAll) {
  const auto differ = [](TrialDigits digits, double a, double b) {
    return difference_between({{digits, {1000, a}}}, {{digits, {1000, b}}});
  };
  EXPECT_EQ(differ(TrialDigits::kFloat, 0.5, 0.50001), "");
  EXPECT_EQ(differ(TrialDigits::kFloat, 0.5, 0.7), "buffer 0[1] is 0.7 instead of 0.5");
  EXPECT_EQ(differ(TrialDigits::kExact, 5, 6), "buffer 0[1] is 6 instead of 5");
  EXPECT_EQ(differ(TrialDigits::kFloat, NAN, NAN), "");
  EXPECT_NE(differ(TrialDigits::kFloat, NAN, 1), "");
  EXPECT_NE(difference_between({}, {{TrialDigits::kExact, {1}}}), "");
}

}  // namespace
}  // namespace cuset::curate
