#include "judge/audit/mutants.h"

#include <gtest/gtest.h>

#include <set>

namespace cuset::judge {
namespace {

constexpr const char* kProgram = R"(#include <cuda_runtime.h>
__global__ void row_sums(const float* x, float* out, int rows, int columns) {
  __shared__ float part[256];
  int row = blockIdx.x;
  int t = threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = t; i < columns; i += blockDim.x) {
    float v = x[row * columns + i];
    if (v > 0) sum += 0.5f * v - expf(-v);
  }
  part[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[row] = part[0];
}
int main() {
  cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  row_sums<<<rows, 256>>>(d_x, d_out, rows, columns);
  cudaMemcpy(out, d_out, rows * sizeof(float), cudaMemcpyDeviceToHost);
}
)";

// The changed lines of the first mutant of `kind`: what the original's line became.
std::string first_change(const std::string& source, std::string_view kind) {
  for (const Mutant& mutant : mutants_of(source))
    if (mutant.kind == kind) return mutant.description;
  return "none";
}

TEST(Mutants, EachKindFindsItsPlace) {
  const struct {
    const char* kind;
    const char* wanted;
  } rows[] = {
      {"dropped_barrier", "`__syncthreads()` was left out"},
      {"off_by_one_bound", "`i < columns` became `i < columns - 1`"},
      {"wrong_stride", "`columns` became `(columns - 1)`"},
      {"swapped_index", "`row * columns + i` became `i * columns + row`"},
      {"missing_guard", "the guard `if (t < s)` was left out"},
      {"wrong_reduction_scope", "`blockDim.x / 2` became `(blockDim.x / 2) / 2`"},
      {"half_precision", "what device code stores and adds up is rounded to half precision"},
      {"uninitialised_accumulator", "`= 0.0f` was left out"},
      {"wrong_launch_size", "the grid `rows` of `row_sums` was halved"},
      {"missing_copy_back", "`cudaMemcpy(out, d_out, rows * sizeof(float), cudaMemcpyDevic...` was left out"},
      {"wrong_loop_start", "none"},
      {"swapped_operator", "`0.5f * v` became `0.5f + v`"},
      {"wrong_constant", "`0.5f` became `0.6f`"},
      {"wrong_comparison", "`v > 0` became `v < 0`"},
      {"wrong_function", "`expf` became `exp2f`"},
      {"dropped_sign", "`-v` became `v`"},
      {"dropped_accumulation", "`sum +=` became `sum =`"},
      {"early_return", "half the threads of `row_sums` return at once"},
      {"missing_copy_in", "`cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice)` was left out"},
      {"partial_copy_back", "`rows * sizeof(float)` became `(rows * sizeof(float)) / 2`"},
  };
  std::set<std::string_view> kinds;
  for (const auto& [kind, wanted] : rows) {
    EXPECT_EQ(first_change(kProgram, kind), wanted) << kind;
    kinds.insert(kind);
  }
  for (const std::string_view kind : mutation_kinds()) EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST(Mutants, ChangesStandInTheSource) {
  const struct {
    const char* source;
    const char* kind;
    const char* wanted;  // a part of the mutant's source
  } rows[] = {
      {"__global__ void f(float* x, int n) { int i = threadIdx.x; if (i >= n) { return; } x[i] = 1; }",
       "missing_guard", "if (false) { return; }"},
      {"__global__ void f(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] = 1; }", "missing_guard",
       "if (true) x[i] = 1;"},
      {"__global__ void f(float* x, int n) { for (int i = 0; i < n; ++i) x[i * 3 + 1] = 2.f; }",
       "wrong_loop_start", "for (int i = 1; i < n"},
      {"__global__ void f(float* x, int n) { for (int i = 0; i < n; ++i) x[i * 3 + 1] = 2.f; }",
       "wrong_stride", "x[i * 2 + 1]"},
      {"__global__ void f(float* x, int i) { if (i >= 0) x[i] = 1; }", "off_by_one_bound", "if (i > 0) x"},
      {"__global__ void f(float* o, float a) { float s = 0.f; s += a, o[0] = s; }", "half_precision",
       "s = __half2float(__float2half(s + (a))), o[0] = __half2float(__float2half(s));"},
      {"__global__ void f(float* o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }", "swapped_index",
       "o[threadIdx.x * blockDim.x + blockIdx.x] = 1;"},
      {"__global__ void f(float* o) { __shared__ float s[8][8]; int a = 1, b = 2; o[0] = 1 + s[a][b]; }",
       "swapped_index", "1 + s[b][a]"},
      {"__global__ void f(float* o) { o[0] += __shfl_down_sync(0xffffffff, o[0], 16); }",
       "wrong_reduction_scope", "o[0], 1)"},
      {"__global__ void f(float* o, float v) { atomicAdd(&o[1], v * 2); }", "dropped_accumulation",
       "(*(&o[1]) = (v * 2));"},
      {"__global__ void f(); void g(dim3 a) { f<<<a, 32>>>(); }", "wrong_launch_size",
       "f<<<dim3(dim3(a).x / 2, dim3(a).y, dim3(a).z), 32>>>();"},
      {"__global__ void f() { cg::sync(block); block.sync(); }", "dropped_barrier", "{ ; block.sync(); }"},
      {"__global__ void f(int* x, int n) { x[0] = n >> 1; x[1] = n > 3 ? 1 : static_cast<int>(2); }",
       "wrong_comparison", "n >> 1; x[1] = n < 3 ?"},
      {"__global__ void f(int* x) { int s = 0, k = 1; s += k; x[0] = s; }", "uninitialised_accumulator",
       "int s , k = 1;"},
      {"__global__ void f(int* x, int n) { for (int k = 0; k < n; ++k) x[k] = 0; }",
       "uninitialised_accumulator", "for (int k = 0; k < n; ++k) ;"},
      {"__global__ void f(float* x) { float4 v = reinterpret_cast<const float4*>(x)[0]; x[0] = v.x * v.y; }",
       "swapped_operator", "float4*>(x)[0]; x[0] = v.x + v.y;"},
  };
  for (const auto& [source, kind, wanted] : rows) {
    std::string found = "none";
    for (const Mutant& mutant : mutants_of(source))
      if (mutant.kind == kind) found = mutant.source;
    EXPECT_NE(found.find(wanted), std::string::npos) << kind << ": " << found;
  }
}

// The kinds of `source`'s mutants with this description that are certain, or not.
std::set<std::string_view> kinds_of(const std::string& source, const std::string& description, bool certain) {
  std::set<std::string_view> kinds;
  for (const Mutant& mutant : mutants_of(source, 9))
    if (mutant.description == description && mutant.certain == certain) kinds.insert(mutant.kind);
  return kinds;
}

TEST(Mutants, AreDoubtfulWhereOutputsMayStayRight) {
  const struct {
    const char* body;
    const char* kind;
    const char* doubtful;
    const char* certain;  // a place of the same kind that surely changes something; may be none
  } rows[] = {
      {"for (int d = 1; d < 64; d *= 2) s += x[d]; for (int k = 0; k < n; ++k) s += x[k];",
       "off_by_one_bound", "`d < 64` became `d < 64 - 1`", "`k < n` became `k < n - 1`"},
      {"for (int a = 0; a < n; a += 32) s += x[a]; for (int k = t; k < n; k += 32) s += x[k];",
       "off_by_one_bound", "`a < n` became `a < n - 1`", "`k < n` became `k < n - 1`"},
      {"for (int w = 1; w < 64 / 32; ++w) s += x[w]; for (int k = 0; k < n; ++k) s += x[k];",
       "off_by_one_bound", "`w < 64 / 32` became `w < 64 / 32 - 1`", "`k < n` became `k < n - 1`"},
      {"for (int k = 1; k < n; ++k) m = fmaxf(m, x[k]); if (t >= n) return;", "off_by_one_bound",
       "`k < n` became `k < n - 1`", "`t >= n` became `t >= n - 1`"},
      {"if (t >= 2) s = x[t - 2]; if (t < n) y[t] = s;", "off_by_one_bound", "`t >= 2` became `t >= 2 - 1`",
       "`t < n` became `t < n - 1`"},
      {"int i = blockIdx.x * 64 + t; y[t] = x[t * 3];", "wrong_stride", "`64` became `63`", "`3` became `2`"},
      {"if (t < n) y[t] = s; if (t >= 0 && t < n) s += x[t];", "missing_guard",
       "the guard `if (t < n)` was left out", "the guard `if (t >= 0 && t < n)` was left out"},
      {"if (t == 0) y[0] = s; if (n == 0) atomicAdd(y, s);", "missing_guard",
       "the guard `if (t == 0)` was left out", "the guard `if (n == 0)` was left out"},
      {"for (int h = 64; h > 0; h /= 2) y[t] += y[t + h]; for (int k = 0; k < n; ++k) s += x[k];",
       "wrong_reduction_scope", "`64` became `(64) / 2`", "`n` became `(n) / 2`"},
      {"for (int k = t; k < n; k += 32) s += x[k]; for (int k = 0; k < n; ++k) m += x[k];",
       "dropped_accumulation", "`s +=` became `s =`", "`m +=` became `m =`"},
      {"s += (x[t] - m) * (x[t] - m); s = s - x[0];", "swapped_operator", "`] - m` became `] + m`",
       "`s - x` became `s + x`"},
      {"y[t] = s / (n * n); s = s * s;", "swapped_operator", "`n * n` became `n + n`",
       "`s * s` became `s + s`"},
      {"y[t] = fminf(s * 0.5f, 6.0f);", "wrong_constant", "`6.0f` became `7.2f`", "`0.5f` became `0.6f`"},
      {"m = fmaxf(m, x[t * 3]); y[t] = expf(x[t * 5] - m);", "wrong_stride", "`3` became `2`",
       "`5` became `4`"},
      {"m = fmaxf(m, x[t]); y[t] = expf(x[t] - m);", "wrong_comparison", "`fmaxf` became `fminf`", ""},
      {"__syncthreads();", "dropped_barrier", "`__syncthreads()` was left out", ""},
      {"float sum = 0.0f; sum += x[t];", "uninitialised_accumulator", "`= 0.0f` was left out", ""},
      {"y[t] = 1;", "early_return", "half the threads of `f` return at once", ""},
  };
  for (const auto& [body, kind, doubtful, certain] : rows) {
    const std::string source = std::string(
                                   "__global__ void f(const float* x, float* y, int n, int t, float s, "
                                   "float m) { ") +
                               body + " }";
    EXPECT_TRUE(kinds_of(source, doubtful, false).contains(kind)) << source;
    EXPECT_FALSE(kinds_of(source, doubtful, true).contains(kind)) << source;
    if (*certain == 0) continue;
    EXPECT_TRUE(kinds_of(source, certain, true).contains(kind)) << source;
  }
}

TEST(Mutants, OfRoundingAreDoubtfulWhereWholeNumbersAreWritten) {
  const char* rounding = "what device code stores and adds up is rounded to half precision";
  EXPECT_TRUE(kinds_of("__global__ void f(const int* x, float* y) { y[0] = x[0] / 3.0f; }", rounding, true)
                  .contains("half_precision"));
  EXPECT_TRUE(kinds_of("__global__ void f(const float* x, int* y) { float v = x[0]; y[0] = v > x[1]; }",
                       rounding, false)
                  .contains("half_precision"));
}

TEST(Mutants, AreDoubtfulWhereHostCodeMayStillDoTheWork) {
  const std::string strides =
      "__global__ void f(int n) { for (int i = threadIdx.x; i < n; i += gridDim.x * 32) g(i); } "
      "int main() { f<<<8, 32>>>(n); }";
  EXPECT_TRUE(kinds_of(strides, "the grid `8` of `f` was halved", false).contains("wrong_launch_size"));
  const std::string copies =
      "int main() { cudaMemcpy(a, b, sizeof(int), cudaMemcpyDeviceToHost); "
      "cudaMemcpy(a, b, n * sizeof(int), cudaMemcpyDeviceToHost); }";
  EXPECT_TRUE(
      kinds_of(copies, "`sizeof(int)` became `(sizeof(int)) / 2`", false).contains("partial_copy_back"));
  EXPECT_TRUE(kinds_of(copies, "`n * sizeof(int)` became `(n * sizeof(int)) / 2`", true)
                  .contains("partial_copy_back"));
}

TEST(Mutants, AreDistinctAndTheSameEveryTime) {
  const std::vector<Mutant> mutants = mutants_of(kProgram, 3);
  const std::vector<Mutant> again = mutants_of(kProgram, 3);
  std::set<std::string> sources = {kProgram};
  ASSERT_EQ(mutants.size(), again.size());
  EXPECT_GT(mutants.size(), mutants_of(kProgram).size());
  for (size_t i = 0; i < mutants.size(); ++i) {
    EXPECT_TRUE(sources.insert(mutants[i].source).second) << mutants[i].description;
    EXPECT_EQ(mutants[i].source, again[i].source);
    EXPECT_GT(mutants[i].line, 1u) << mutants[i].description;
  }
}

TEST(Mutants, HostCodeIsOnlyChangedWhereTheKindSaysSo) {
  const char* source = "int main() { for (int i = 0; i < 3; ++i) { float x = 1.5f * -i; if (i < 2) f(x); } }";
  EXPECT_TRUE(mutants_of(source, 9).empty());
}

TEST(Mutants, AnyBytesAreRead) {
  for (const char* source :
       {"", "__global__ void f(", "__global__ void f() {", "__global__ void f() { for (",
        "__global__ void f() { if (a <", "__global__ void f(float* x) { x[ = ; += }",
        "cudaMemcpy(cudaMemcpyDeviceToHost", "f<<<", "f<<<>>>()", "__global__ void f(int a) { a * ; - } }",
        "__global__ void f(int a) { *= a[0][", "for (;;) {}"})
    mutants_of(source, 5);
}

}  // namespace
}  // namespace cuset::judge
