#include "cuda_source/kernel_slices.h"

#include <gtest/gtest.h>

namespace cuset::cuda_source {
namespace {

TEST(KernelSlices, HoldWhatTheKernelNeedsAndNothingElse) {
  const auto slices = cut_kernels(R"(// Copyright somebody

#include <cuda_runtime.h>
#include <cstdio>

#define BLOCK 256
#define UNUSED 1

struct Pair { float a, b; };
constexpr int kWidth = 4;

// Squares.
__device__ float square(float x) { return x * x; }
static __device__ __forceinline__ float twice(Pair p) { return square(p.a) + p.b; }
__device__ float never(float x) { return x; }

// Adds pairs.
template <typename T>
__global__ void __launch_bounds__(BLOCK) add(const Pair* in, T* out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = twice(in[i]) * kWidth;
}

__global__ void other(float* x) { x[0] = 1; }

void launch(const Pair* in, float* out) { add<float><<<1, BLOCK>>>(in, out, 3); }
int main() { return 0; }
)");
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0].kernel, "add");
  EXPECT_EQ(slices[0].signature, "add(const Pair* in, T* out, int n)");
  EXPECT_EQ(slices[0].comment, "// Adds pairs.");
  EXPECT_FALSE(slices[0].has_local_header);
  EXPECT_EQ(slices[0].text, R"(#include <cuda_runtime.h>
#include <cstdio>
#define BLOCK 256
struct Pair { float a, b; };

constexpr int kWidth = 4;

// Squares.
__device__ float square(float x) { return x * x; }

static __device__ __forceinline__ float twice(Pair p) { return square(p.a) + p.b; }

// Adds pairs.
template <typename T>
__global__ void __launch_bounds__(BLOCK) add(const Pair* in, T* out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = twice(in[i]) * kWidth;
}
)");
  EXPECT_EQ(slices[1].text,
            "#include <cuda_runtime.h>\n#include <cstdio>\n__global__ void other(float* x) { x[0] = 1; }\n");
}

TEST(KernelSlices, KeepNamespacesAndLinkage) {
  const auto slices = cut_kernels(
      "namespace a { namespace b {\n__device__ int one() { return 1; }\n}\n"
      "extern \"C\" {\n__global__ void k(int* x) { *x = b::one(); }\n}\n}\n");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].text,
            "namespace a {\nnamespace b {\n__device__ int one() { return 1; }\n\n}\nextern \"C\" {\n"
            "__global__ void k(int* x) { *x = b::one(); }\n\n}\n}\n");
}

TEST(KernelSlices, IncludeGuardsAreTakenOffAndConditionalGroupsStayWhole) {
  const auto slices = cut_kernels(
      "#ifndef X_H\n#define X_H\n#include \"mine.h\"\n#ifdef FAST\n#define STEP 4\n#else\n#define STEP 1\n#endif\n"
      "__global__ void k(int* x) { *x = STEP; }\n#endif  // X_H\n");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_TRUE(slices[0].has_local_header);
  EXPECT_EQ(slices[0].text,
            "#include \"mine.h\"\n#ifdef FAST\n#define STEP 4\n#else\n#define STEP 1\n#endif\n"
            "__global__ void k(int* x) { *x = STEP; }\n");
}

TEST(KernelSlices, PrototypesEnumsAndAliasesAreFound) {
  const auto slices = cut_kernels(
      "enum Mode { kPlain, kFast = 3 };\nusing Real = float;\ntypedef unsigned int uint32;\n"
      "__device__ Real later(Real x);\n__constant__ Real table[4];\n"
      "__global__ void k(Real* x, uint32 n) { if (n == kFast) x[0] = later(table[n]); }\n"
      "__device__ Real later(Real x) { return x; }\n");
  ASSERT_EQ(slices.size(), 1u);
  for (const char* part :
       {"enum Mode", "using Real", "typedef", "later(Real x);", "__constant__", "return x"})
    EXPECT_NE(slices[0].text.find(part), std::string::npos) << part << "\n" << slices[0].text;
}

TEST(KernelSlices, OverloadsAreOneSlice) {
  const auto slices =
      cut_kernels("__global__ void k(int* x) { *x = 1; }\n__global__ void k(float* x) { *x = 1; }\n");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_NE(slices[0].text.find("float"), std::string::npos);
}

TEST(KernelSlices, AnyBytesEnd) {
  for (const char* text :
       {"", "}}}}", "__global__", "__global__ void f(", "#if 1\n#if 2\n", "namespace {", "/*",
        "extern \"C\" __global__ void f(int* x) {", "struct S {", "#define", "{{{{;", "= {};"}) {
    for (const KernelSlice& slice : cut_kernels(text)) EXPECT_FALSE(slice.text.empty());
  }
}

}  // namespace
}  // namespace cuset::cuda_source
