// Sensitive regions of kernels: tables of body -> "text; text" of one kind.
#include "cuda_source/sensitivity.h"

#include <gtest/gtest.h>

namespace cuset::cuda_source {
namespace {

std::string found(std::string_view text, RegionKind kind) {
  RegionOptions options;
  options.sensitivity = true;
  std::string result;
  for (const Region& region : find_regions(text, options)) {
    if (region.kind != kind) continue;
    if (!result.empty()) result += " ; ";
    result += text.substr(region.begin, region.end - region.begin);
  }
  return result;
}

struct Case {
  std::string_view body;
  std::string_view expected;
};

void check(RegionKind kind, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const std::string text = "__global__ void k(float* a, const int* __restrict__ b, int n, float c[]) {" +
                             std::string(c.body) + "}";
    EXPECT_EQ(found(text, kind), c.expected) << c.body;
  }
}

TEST(Sensitivity, ThreadIndexing) {
  check(RegionKind::kThreadIndexing,
        {
            {"int i = threadIdx.x;", "threadIdx.x"},
            {"int i = blockIdx.x * blockDim.x + threadIdx.x;", "blockIdx.x * blockDim.x + threadIdx.x"},
            {"int i = blockIdx.x*TILE + threadIdx.y;", "blockIdx.x ; threadIdx.y"},
            {"int i = threadIdx.x / warpSize;", "threadIdx.x / warpSize"},
            {"f(threadIdx, gridDim);", "threadIdx ; gridDim"},
            {"for (i = threadIdx.x; i < n; i += blockDim.x * gridDim.x);",
             "threadIdx.x ; blockDim.x * gridDim.x"},
            {"auto g = cg::this_thread_block();", "cg::this_thread_block()"},
            {"int r = g.thread_rank();", "g.thread_rank()"},
            {"int r = cg::this_grid().thread_rank();", "cg::this_grid().thread_rank() ; cg::this_grid()"},
            {"auto t = cg::tiled_partition<32>(g);", "cg::tiled_partition<32>(g)"},
            {"int r = t->num_threads() * 2;", "t->num_threads()"},
            {"int threadIdy = 0; s.threadIdx_;", ""},
            {"// threadIdx.x\n", ""},
            {"asm(\"mov.u32 %0, %laneid;\" : \"=r\"(l));", "asm(\"mov.u32 %0, %laneid;\" : \"=r\"(l))"},
        });
}

TEST(Sensitivity, SharedMemory) {
  check(RegionKind::kSharedMemory,
        {
            {"__shared__ float s[32];", "__shared__ float s[32];"},
            {"extern __shared__ float s[]; s[n] = 1;", "extern __shared__ float s[]; ; s[n]"},
            {"__shared__ float s[2][3]; x = s[i][j] + s[0][0];",
             "__shared__ float s[2][3]; ; s[i][j] ; s[0][0]"},
            {"static __shared__ int s; s = 1;", "static __shared__ int s; ; s"},
            {"__shared__ int s, t[4]; t[s] = 1;", "__shared__ int s, t[4]; ; t[s] ; s"},
            {"__shared__ alignas(16) float s[4]; f(s);", "__shared__ alignas(16) float s[4]; ; s"},
            {"__shared__ P s; s.x = 1; s.y[2].z = 3;", "__shared__ P s; ; s.x ; s.y[2].z"},
            {"extern __shared__ char raw[]; float* s = reinterpret_cast<float*>(raw); s[1] = 2;",
             "extern __shared__ char raw[]; ; raw ; s[1]"},
            {"__shared__ float s[4]; float* p = s + 2; p[0] = 1;", "__shared__ float s[4]; ; s ; p[0]"},
            {"__shared__ float s[4]; x.s = 1;", "__shared__ float s[4];"},
            {"__shared__ std::array<float, 4> s; s[0];", "__shared__ std::array<float, 4> s; ; s[0]"},
            {"int s[3]; s[0] = 1;", ""},
            {"__shared__ float s[", "__shared__ float s["},
            {"asm(\"st.shared.f32 [%0], %1;\" :: \"r\"(p));", "asm(\"st.shared.f32 [%0], %1;\" :: \"r\"(p))"},
        });
}

TEST(Sensitivity, Synchronization) {
  check(RegionKind::kSynchronization,
        {
            {"__syncthreads();", "__syncthreads()"},
            {"__syncwarp(m); __threadfence_block();", "__syncwarp(m) ; __threadfence_block()"},
            {"v += __shfl_down_sync(0xffffffff, v, 16);", "__shfl_down_sync(0xffffffff, v, 16)"},
            {"if (__any_sync(m, p) || __ballot_sync(m, p));", "__any_sync(m, p) ; __ballot_sync(m, p)"},
            {"atomicAdd(&a[0], 1.f);", "atomicAdd(&a[0], 1.f)"},
            {"old = atomicCAS_block(p, x, f(y));", "atomicCAS_block(p, x, f(y))"},
            {"grid.sync();", "grid.sync()"},
            {"cg::this_thread_block().sync();", "cg::this_thread_block().sync()"},
            {"cg::sync(block);", "cg::sync(block)"},
            {"bar.arrive_and_wait();", "bar.arrive_and_wait()"},
            {"int v = tile.shfl_down(x, 1);", "tile.shfl_down(x, 1)"},
            {"x = cg::reduce(tile, v, cg::plus<int>());", "cg::reduce(tile, v, cg::plus<int>())"},
            {"r.fetch_add(1);", "r.fetch_add(1)"},
            {"__pipeline_wait_prior(0);", "__pipeline_wait_prior(0)"},
            {"asm volatile(\"bar.sync 0;\");", "asm volatile(\"bar.sync 0;\")"},
            {"int atomicity = 1; synchronize(); atomic(1);", ""},
            {"__syncthreads(", "__syncthreads("},
            {"__syncthreads;", ""},
        });
}

TEST(Sensitivity, GlobalMemory) {
  check(RegionKind::kGlobalMemory,
        {
            {"a[i] = b[j];", "a[i] ; b[j]"},
            {"c[0] += n;", "c[0]"},
            {"x = n[0];", ""},
            {"*a = 1;", "*a"},
            {"x = *(a + i);", "*(a + i)"},
            {"x = y * a[i];", "a[i]"},
            {"x = n * n;", ""},
            {"a->x = 1;", "a->x"},
            {"a[i].x = 1;", "a[i].x"},
            {"a[b[i]] = 1;", "a[b[i]] ; b[i]"},
            {"x = __ldg(&a[i]);", "__ldg(&a[i]) ; a[i]"},
            {"x = __ldg(a + i);", "__ldg(a + i)"},
            {"float4 v = reinterpret_cast<const float4*>(a)[i];", "reinterpret_cast<const float4*>(a)[i]"},
            {"float4 v = *reinterpret_cast<float4*>(&a[i]);", "*reinterpret_cast<float4*>(&a[i]) ; a[i]"},
            {"float4 v = ((float4*)a)[i];", "((float4*)a)[i]"},
            {"float4 v = *(float4*)(a + i);", "*(float4*)(a + i)"},
            {"float4 v = *(float4*)&a[i];", "*(float4*)&a[i] ; a[i]"},
            {"float4 v = *(float4*)a;", "*(float4*)a"},
            {"float4* p = reinterpret_cast<float4*>(a); p[i] = v;", "p[i]"},
            {"const float* p = a + n; x = p[1] + *p;", "p[1] ; *p"},
            {"auto p = reinterpret_cast<int4*>(a); p[0];", "p[0]"},
            {"float p = a[0]; p[1];", "a[0]"},
            {"s.a[i] = 1;", ""},
            {"__stcs(&a[i], v);", "__stcs(&a[i], v) ; a[i]"},
            {"cuda::memcpy_async(s, a, 4, bar);", "cuda::memcpy_async(s, a, 4, bar)"},
            {"x = tex2D<float>(t, u, v);", "tex2D<float>(t, u, v)"},
            {"asm(\"cp.async.ca.shared.global [%0], [%1], 16;\" ::);",
             "asm(\"cp.async.ca.shared.global [%0], [%1], 16;\" ::)"},
            {"f(a);", ""},
        });
}

TEST(Sensitivity, ParametersOfOtherShapes) {
  EXPECT_EQ(found("__global__ void k(torch::PackedTensorAccessor32<float, 2> x) { x[i][j] = 1; }",
                  RegionKind::kGlobalMemory),
            "x[i][j]");
  EXPECT_EQ(found("template <class T> __global__ void k(const A<T, 2>* x, T y) { x[i] = y[j]; }",
                  RegionKind::kGlobalMemory),
            "x[i]");
  EXPECT_EQ(found("__global__ void k(float (*f)(float), float* x = nullptr) { f[0]; x[1]; }",
                  RegionKind::kGlobalMemory),
            "x[1]");
}

TEST(Sensitivity, OnlyInsideKernels) {
  EXPECT_EQ(found("void f(float* a) { a[0] = threadIdx.x; __syncthreads(); }", RegionKind::kThreadIndexing),
            "");
  EXPECT_EQ(found("__device__ int f() { return threadIdx.x; } __global__ void k() { f(); }",
                  RegionKind::kThreadIndexing),
            "");
  RegionOptions options;
  options.sensitivity = options.device_functions = true;
  const std::string_view text = "__device__ int f() { return threadIdx.x; } __global__ void k() { f(); }";
  EXPECT_EQ(dump_regions(text, find_regions(text, options)),
            "device_body f 1:20-1:43\nthread_indexing threadIdx 1:29-1:40\nkernel_signature k 1:60-1:63\n"
            "kernel_body k 1:64-1:72\n");
}

}  // namespace
}  // namespace cuset::cuda_source
