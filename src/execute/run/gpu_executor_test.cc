// Programs on a real GPU, one outcome each; skipped where there is none.
#include "execute/run/gpu_executor.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "base/files/temporary_folder.h"
#include "support/error_text.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// What the tests share: starting an executor costs a trial kernel, compiling costs seconds.
struct Shared {
  base::TemporaryFolder cache;
  std::unique_ptr<GpuExecutor> executor;
};

Shared& shared() {
  static Shared* const all = new Shared;
  return *all;
}

class GpuExecutorTest : public testing::Test {
 protected:
  using Run = cuset::execute::Run;  // not that of testing::Test

  void SetUp() override {
    if (!probe_gpu(0, ProbeDepth::kDescribe).device) GTEST_SKIP() << "skipped: no GPU";
    if (!find_nvcc()) GTEST_SKIP() << "skipped: no GPU compiler (nvcc)";
    if (shared().executor == nullptr) {
      ExecutorSettings settings;
      settings.cache = shared().cache.path();
      shared().executor = std::make_unique<GpuExecutor>(settings);
      std::printf("%s; kernels counted by: %s\n", shared().executor->description().c_str(),
                  shared().executor->recorder().name.c_str());
    }
    limits_.wall_time = std::chrono::seconds(30);
    limits_.memory = 16ull << 30;
  }

  GpuExecutor& executor() { return *shared().executor; }

  Build build(const std::string& text, Isolation isolation = Isolation::kNone) {
    base::write_file_atomic(sources_ / "test.cu", text);
    BuildOptions options;
    options.companions.isolation = isolation;
    Build built = executor().build(sources_ / "test.cu", options);
    EXPECT_TRUE(built.done()) << built.messages;
    return built;
  }

  Run run(const std::string& text, std::vector<std::string> arguments = {}) {
    const Build built = build(text);
    RunOptions options;
    options.arguments = std::move(arguments);
    options.folder = folder_.path();
    options.limits = limits_;
    Run result = executor().run(built, options);
    EXPECT_EQ(result.proof, executor().recorder().name);
    EXPECT_TRUE(fs::is_empty(folder_.path()));  // the record is gone
    return result;
  }

  // The kernels of a run as "name grid block launches".
  static std::string kernels_of(const Run& run) {
    std::string text;
    for (const KernelLaunches& kernel : run.kernels) {
      text += fmt::format("{} {}x{}x{} {}x{}x{} {}\n", kernel.name, kernel.grid[0], kernel.grid[1],
                          kernel.grid[2], kernel.block[0], kernel.block[1], kernel.block[2], kernel.launches);
    }
    return text;
  }

  base::TemporaryFolder sources_;
  base::TemporaryFolder folder_;
  sandbox::SandboxLimits limits_;
};

constexpr const char* kSaxpy = R"(
#include <cstdio>
#include <vector>
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  const int n = 1 << 20;
  std::vector<float> host(n, 1.f);
  float *x, *y;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMemcpy(x, host.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host.data(), n * 4, cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.f, x, y);
  cudaMemcpy(host.data(), y, n * 4, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[n - 1]);
}
)";

TEST_F(GpuExecutorTest, SaxpyIsRecordedWithShapeAndTime) {
  const Run result = run(kSaxpy);
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation << result.process.errors;
  EXPECT_EQ(result.process.output, "3 3\n");
  EXPECT_EQ(kernels_of(result), "saxpy 4096x1x1 256x1x1 1\n");
  EXPECT_GT(result.kernels.at(0).total_ms, 0.0005);
  EXPECT_LT(result.kernels.at(0).total_ms, 100);
  EXPECT_EQ(result.cuda_error, 0);
}

TEST_F(GpuExecutorTest, TheSecondBuildComesFromTheCache) {
  const Build first = build(kSaxpy);
  const Build second = build(kSaxpy);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(first.program, second.program);
  EXPECT_TRUE(executor().check(sources_ / "test.cu", {}).done());
}

TEST_F(GpuExecutorTest, AProgramWithoutKernelsHasNone) {
  const Run quiet = run("#include <cstdio>\nint main() { std::puts(\"1 million kernels launched\"); }");
  EXPECT_EQ(quiet.outcome, Run::Outcome::kDone);
  EXPECT_EQ(kernels_of(quiet), "");
  const Run copying = run("int main() { void* p; return cudaMalloc(&p, 100) || cudaMemset(p, 0, 100); }");
  EXPECT_EQ(copying.outcome, Run::Outcome::kDone) << copying.explanation;
  EXPECT_EQ(kernels_of(copying), "");
}

TEST_F(GpuExecutorTest, AnInvalidConfigurationIsALaunchError) {
  const char* kernel = "__global__ void k() {}\n";
  const Run swallowed =
      run(std::string(kernel) + "int main() { k<<<1, 2048>>>(); cudaDeviceSynchronize(); }");
  EXPECT_EQ(swallowed.outcome, Run::Outcome::kLaunchError);
  // Runtimes up to CUDA 12 say "invalid configuration" (9), later ones "invalid argument" (1).
  EXPECT_TRUE(swallowed.explanation == "invalid configuration argument (9) in k" ||
              swallowed.explanation == "invalid argument (1) in k")
      << swallowed.explanation;
  ASSERT_EQ(swallowed.kernels.size(), 1u);
  EXPECT_EQ(swallowed.kernels[0].launches, 0u);
  EXPECT_EQ(swallowed.kernels[0].failed, 1u);
  EXPECT_EQ(swallowed.kernels[0].block[0], 2048u);
  const Run handled =
      run(std::string(kernel) + "int main() { k<<<1, 2048>>>(); return cudaGetLastError() ? 0 : 1; }");
  EXPECT_EQ(handled.outcome, Run::Outcome::kDone) << handled.explanation;
  const Run said = run(std::string(kernel) + "int main() { k<<<1, 2048>>>(); return cudaGetLastError(); }");
  EXPECT_EQ(said.outcome, Run::Outcome::kLaunchError);
}

TEST_F(GpuExecutorTest, FaultsOfDeviceCodeAreNamed) {
  struct Fault {
    const char* statement;
    int code;
  };
  const Fault faults[] = {{"*(volatile int*)8 = 1;", 700},
                          {"*(volatile int*)((char*)p + 1) = 1;", 716},
                          {"__trap();", 719},
                          {"assert(p == nullptr);", 710}};
  for (const Fault& fault : faults) {
    for (const char* end :
         {"cudaDeviceSynchronize(); return 0;", "return cudaDeviceSynchronize();", "return 0;"}) {
      const Run result =
          run(fmt::format("#include <cassert>\n__global__ void fine(int* p) {{ p[0] = 1; }}\n"
                          "__global__ void guilty(int* p) {{ {} }}\nint main() {{ int* p; "
                          "cudaMalloc(&p, 64); fine<<<1, 1>>>(p); cudaDeviceSynchronize(); "
                          "guilty<<<1, 1>>>(p); {} }}",
                          fault.statement, end));
      EXPECT_EQ(result.outcome, Run::Outcome::kLaunchError) << fault.code << end << result.explanation;
      EXPECT_EQ(result.cuda_error, fault.code) << end << result.explanation;
      EXPECT_NE(result.explanation.find(fmt::format("({}) in guilty", fault.code)), std::string::npos)
          << result.explanation;
    }
  }
}

TEST_F(GpuExecutorTest, AnEndlessKernelIsKilledAndTheDeviceStaysWell) {
  limits_.wall_time = std::chrono::seconds(3);
  const std::string endless = R"(
__global__ void quick(int* p) { p[0] = 1; }
__global__ void endless(volatile int* p) { while (p[0] == 1) {} }
int main() {
  int* p;
  cudaMalloc(&p, 64);
  quick<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  endless<<<2, 32>>>(p);
  return cudaDeviceSynchronize();
}
)";
  const Run hung = run(endless);
  EXPECT_EQ(hung.outcome, Run::Outcome::kTimeout) << hung.explanation;
  EXPECT_EQ(hung.explanation, "killed after 3.0 s");
  EXPECT_EQ(kernels_of(hung), "quick 1x1x1 1x1x1 1\nendless 2x1x1 32x1x1 1\n");
  EXPECT_GT(hung.kernels.at(0).total_ms, 0);
  EXPECT_EQ(hung.kernels.at(1).total_ms, 0);
  limits_.wall_time = std::chrono::seconds(30);
  EXPECT_EQ(run(kSaxpy).outcome, Run::Outcome::kDone);
}

TEST_F(GpuExecutorTest, AHangInHostCodeLeavesItsRecord) {
  limits_.wall_time = std::chrono::seconds(3);
  const Run hung =
      run("__global__ void k() {}\nint main() { for (int i = 0; i < 5; ++i) { k<<<3, 64>>>(); "
          "cudaDeviceSynchronize(); } for (;;) {} }");
  EXPECT_EQ(hung.outcome, Run::Outcome::kTimeout);
  EXPECT_EQ(kernels_of(hung), "k 3x1x1 64x1x1 5\n");
}

TEST_F(GpuExecutorTest, ExhaustedMemoryIsToldFromOtherFailures) {
  const Run exhausted =
      run("#include <cstdlib>\nint main() { void* p; for (;;) if (cudaMalloc(&p, 1ull << 34)) "
          "std::abort(); }");
  EXPECT_EQ(exhausted.outcome, Run::Outcome::kOutOfMemory) << exhausted.explanation;
  EXPECT_EQ(exhausted.cuda_error, 2);
  EXPECT_EQ(run(kSaxpy).outcome, Run::Outcome::kDone);
  limits_.memory = 2ull << 30;
  const Run host =
      run("#include <cstdlib>\n#include <cstring>\nint main() { for (;;) { void* p = "
          "std::malloc(1 << 26); if (p) std::memset(p, 1, 1 << 26); } }");
  EXPECT_EQ(host.outcome, Run::Outcome::kOutOfMemory) << host.explanation;
}

TEST_F(GpuExecutorTest, CrashesAndFailuresOfHostCode) {
  const Run aborted = run("#include <cstdlib>\nint main() { std::abort(); }");
  EXPECT_EQ(aborted.outcome, Run::Outcome::kCrash);
  EXPECT_EQ(aborted.explanation, "crashed with SIGABRT");
  const Run wild =
      run("__global__ void k() {}\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); "
          "*(volatile int*)0 = 1; }");
  EXPECT_EQ(wild.outcome, Run::Outcome::kCrash);
  EXPECT_EQ(kernels_of(wild), "k 1x1x1 1x1x1 1\n");
  const Run failed =
      run("int main(int n, char** a) { return n == 3 && a[2][0] == 'y' ? 7 : 8; }", {"x", "y"});
  EXPECT_EQ(failed.outcome, Run::Outcome::kFailed);
  EXPECT_EQ(failed.explanation, "exit status 7");
}

TEST_F(GpuExecutorTest, TenThousandLaunchesAreCounted) {
  const Run result =
      run("__global__ void k(int* p) { atomicAdd(p, 1); }\nint main() { int* p; cudaMalloc(&p, 4); "
          "cudaMemset(p, 0, 4); for (int i = 0; i < 10000; ++i) k<<<1, 1>>>(p); int n = 0; "
          "cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost); return n != 10000; }");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  EXPECT_EQ(kernels_of(result), "k 1x1x1 1x1x1 10000\n");
  EXPECT_GT(result.kernels.at(0).total_ms, 1);
  EXPECT_GT(result.kernels.at(0).shortest_ms, 0);
}

TEST_F(GpuExecutorTest, TemplatesNamespacesAndShapesAreToldApart) {
  const Run result = run(R"(
namespace deep { template <typename T, int N> __global__ void scale(T* p) { p[threadIdx.x] *= N; } }
__global__ void shared_user(int* p) { __shared__ int s[256]; extern __shared__ int d[]; s[threadIdx.x] = p[0];
  d[threadIdx.x] = s[255 - threadIdx.x]; __syncthreads(); p[threadIdx.x] = d[threadIdx.x]; }
int main() {
  float* f; double* d;
  cudaMalloc(&f, 4096); cudaMalloc(&d, 4096);
  deep::scale<float, 4><<<dim3(2, 3), dim3(16, 2)>>>(f);
  deep::scale<float, 4><<<dim3(2, 3), dim3(16, 2)>>>(f);
  deep::scale<float, 4><<<1, 8>>>(f);
  deep::scale<double, 2><<<1, 8>>>(d);
  shared_user<<<1, 256, 1024>>>((int*)f);
  return cudaDeviceSynchronize();
}
)");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  EXPECT_EQ(kernels_of(result),
            "deep::scale<float, 4> 2x3x1 16x2x1 2\ndeep::scale<float, 4> 1x1x1 8x1x1 1\n"
            "deep::scale<double, 2> 1x1x1 8x1x1 1\nshared_user 1x1x1 256x1x1 1\n");
  if (result.proof == "cupti") {
    EXPECT_EQ(result.kernels.back().shared_bytes, 2048u);
  }
}

TEST_F(GpuExecutorTest, GraphsAndStreamsAreCounted) {
  const Run result = run(R"(
__global__ void node(int* p) { atomicAdd(p, 1); }
int main() {
  int* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4);
  cudaStream_t stream; cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 3; ++i) node<<<2, 1, 0, stream>>>(p);
  cudaGraph_t graph; cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t run; cudaGraphInstantiate(&run, graph, 0);
  for (int i = 0; i < 4; ++i) cudaGraphLaunch(run, stream);
  cudaStreamSynchronize(stream);
  int n = 0; cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
  return n != 24;
}
)");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  if (result.proof == "cupti") {
    EXPECT_EQ(kernels_of(result), "node 2x1x1 1x1x1 12\n");
  }
}

TEST_F(GpuExecutorTest, WhatIsLaunchedAndNotWaitedForCounts) {
  const Run result =
      run("__global__ void k(long long n) { long long t = clock64(); while (clock64() - t < n) {} }\n"
          "int main() { k<<<1, 1>>>(50000000); return 0; }");
  EXPECT_EQ(result.outcome, Run::Outcome::kDone) << result.explanation;
  EXPECT_EQ(kernels_of(result), "k 1x1x1 1x1x1 1\n");
  EXPECT_GT(result.kernels.at(0).total_ms, 5);
}

TEST_F(GpuExecutorTest, ManyThreadsCompileBesideOneQueue) {
  std::vector<std::thread> threads;
  std::vector<std::string> answers(6);
  for (size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&, i] {
      const base::TemporaryFolder folder;
      base::write_file_atomic(folder / "t.cu",
                              fmt::format("#include <cstdio>\n__global__ void k{0}() {{}}\nint main() {{ "
                                          "k{0}<<<1, 1>>>(); cudaDeviceSynchronize(); std::puts(\"{0}\"); }}",
                                          i));
      const Build built = executor().build(folder / "t.cu", {});
      RunOptions options;
      options.folder = folder.path();
      const Run result = executor().run(built, options);
      answers[i] = result.process.output + kernels_of(result);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < answers.size(); ++i)
    EXPECT_EQ(answers[i], fmt::format("{0}\nk{0} 1x1x1 1x1x1 1\n", i));
}

TEST(WithoutDevice, TheExecutorSaysWhatToDoInstead) {
  if (probe_gpu(0, ProbeDepth::kDescribe).device) GTEST_SKIP() << "there is a device here";
  const std::string message = support::error_of([] { make_gpu_executor({}); });
  EXPECT_NE(message.find("no GPU to run on"), std::string::npos) << message;
  EXPECT_NE(message.find("--executor cpu"), std::string::npos) << message;
}

// Prints how many of its 64 MiB of fresh memory, and of its variable, are what the last program left.
constexpr const char* kLeftovers = R"(
#include <cstdio>
__device__ int variable = 7;
__global__ void look(const unsigned* memory, int count, int* found) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    if (memory[i] == 0xC0FFEEu) atomicAdd(found, 1);
  if (variable != 7) atomicAdd(found, 1);
}
__global__ void leave(unsigned* memory, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) memory[i] = 0xC0FFEEu;
  variable = 8;
}
int main() {
  const int count = 16 << 20;
  unsigned* memory;
  int *found, number = -1;
  cudaMalloc(&memory, count * 4);
  cudaMalloc(&found, 4);
  cudaMemset(found, 0, 4);
  look<<<264, 256>>>(memory, count, found);
  leave<<<264, 256>>>(memory, count);
  cudaMemcpy(&number, found, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", number);
}
)";

class SplitOnGpu : public GpuExecutorTest {
 protected:
  SplitRun run_split(const std::string& text, const SplitOptions& wanted = {}) {
    RunOptions options;
    options.folder = folder_.path();
    options.limits = limits_;
    std::optional<SplitRun> split = executor().run_split(build(text, Isolation::kProgram), options, wanted);
    EXPECT_TRUE(split.has_value());
    return std::move(split).value_or(SplitRun());
  }

  void expect_nothing_left() {
    const SplitRun split = run_split(kLeftovers);
    EXPECT_EQ(split.host.outcome, Run::Outcome::kDone) << split.host.explanation;
    EXPECT_EQ(split.device.outcome, Run::Outcome::kDone) << split.device.explanation;
    EXPECT_EQ(split.host.process.output, "0\n");
  }
};

// One line for each kind of resource: the sum of what a kernel read through it, each value times its place.
const std::string kTextures = R"(
#include <cstdio>
#include <vector>
struct Holder { int unused; cudaTextureObject_t texture; };
__device__ float place(int i) { return 1.0f + (i % 7) * 0.5f; }
__global__ void linear(cudaTextureObject_t t, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(t, i) * place(i);
}
__global__ void plane(Holder holder, float* out, int width, int height, float scale_x, float scale_y, float shift) {
  for (int i = threadIdx.x; i < width * height; i += blockDim.x)
    out[i] = tex2D<float>(holder.texture, (i % width + shift) * scale_x, (i / width + shift) * scale_y) * place(i);
}
__global__ void volume(const cudaTextureObject_t* handles, float* out) {
  const int i = threadIdx.x, x = i % 4, y = i / 4 % 4, z = i / 16;
  out[i] = tex3D<float>(handles[0], x + 0.5f, y + 0.5f, z + 0.5f) * place(i);
}
__global__ void layers(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  out[i] = tex2DLayered<float>(t, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i / 16) * place(i);
}
__global__ void bytes(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  const float4 v = tex2D<float4>(t, i % 4 + 0.5f, i / 4 + 0.5f);
  out[i] = v.x + 2 * v.y + 3 * v.z + 4 * v.w;
}
__global__ void paint(cudaSurfaceObject_t s) {
  const int i = threadIdx.x, x = i % 8, y = i / 8;
  surf2Dwrite(i * 0.25f, s, x * 4, y);
}
__global__ void bend(cudaSurfaceObject_t s) {
  const int i = threadIdx.x, x = i % 8, y = i / 8;
  float value;
  surf2Dread(&value, s, x * 4, y);
  surf2Dwrite(value + x, s, x * 4, y);
}

void check(cudaError_t error) { if (error != cudaSuccess) std::printf("error %s\n", cudaGetErrorName(error)); }
void show(const char* what, const float* device, int n) {
  std::vector<float> values(n);
  check(cudaMemcpy(values.data(), device, n * 4, cudaMemcpyDeviceToHost));
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * (i + 1);
  std::printf("%s %.6f\n", what, sum);
}
cudaTextureObject_t make(const cudaResourceDesc& resource, cudaTextureFilterMode filter, bool normalized,
                         cudaTextureReadMode mode = cudaReadModeElementType) {
  cudaTextureDesc how = {};
  how.filterMode = filter;
  how.readMode = mode;
  how.normalizedCoords = normalized;
  for (cudaTextureAddressMode& side : how.addressMode) side = normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}
cudaResourceDesc of_array(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
cudaArray_t filled(cudaExtent extent, unsigned flags, std::vector<float>& from) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  check(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from.data(), extent.width * 4, extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  check(cudaMemcpy3D(&copy));
  return array;
}

int main() {
  std::vector<float> host(512);
  for (int i = 0; i < 512; ++i) host[i] = (i * 37 % 101) * 0.125f;
  float *in, *out;
  check(cudaMalloc(&in, 512 * 4));
  check(cudaMalloc(&out, 512 * 4));
  check(cudaMemcpy(in, host.data(), 512 * 4, cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {in, cudaCreateChannelDesc<float>(), 512 * 4};
  const cudaTextureObject_t row = make(resource, cudaFilterModePoint, false);
  linear<<<1, 512>>>(row, out, 512);
  show("linear", out, 512);
  check(cudaDestroyTextureObject(row));

  float* pitched;
  size_t pitch;
  check(cudaMallocPitch(&pitched, &pitch, 20 * 4, 16));
  check(cudaMemcpy2D(pitched, pitch, host.data(), 20 * 4, 20 * 4, 16, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {pitched, cudaCreateChannelDesc<float>(), 20, 16, pitch};
  plane<<<1, 128>>>({0, make(resource, cudaFilterModeLinear, false)}, out, 20, 16, 1, 1, 0.75f);
  show("pitched", out, 320);

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t image;
  check(cudaMallocArray(&image, &format, 20, 16));
  check(cudaMemcpy2DToArray(image, 0, 0, host.data(), 20 * 4, 20 * 4, 16, cudaMemcpyHostToDevice));
  check(cudaMemcpy2DToArray(image, 8, 3, host.data() + 100, 40, 40, 2, cudaMemcpyHostToDevice));
  plane<<<1, 128>>>({0, make(of_array(image), cudaFilterModeLinear, false)}, out, 20, 16, 1, 1, 0.25f);
  show("filtered", out, 320);
  plane<<<1, 128>>>({0, make(of_array(image), cudaFilterModePoint, true)}, out, 20, 16, 1.0f / 20, 1.0f / 16, 3.5f);
  show("normalized", out, 320);
  cudaArray_t twin;
  check(cudaMallocArray(&twin, &format, 20, 16));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = image;
  copy.dstArray = twin;
  copy.extent = make_cudaExtent(20, 16, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  check(cudaMemcpy3D(&copy));
  check(cudaMemcpy2DFromArray(out, 80, twin, 0, 0, 80, 16, cudaMemcpyDeviceToDevice));
  show("copied", out, 320);

  const cudaTextureObject_t block = make(of_array(filled({4, 4, 4}, 0, host)), cudaFilterModePoint, false);
  cudaTextureObject_t* handles;
  check(cudaMalloc(&handles, sizeof block));
  check(cudaMemcpy(handles, &block, sizeof block, cudaMemcpyHostToDevice));
  volume<<<1, 64>>>(handles, out);
  show("volume", out, 64);
  layers<<<1, 48>>>(make(of_array(filled({4, 4, 3}, cudaArrayLayered, host)), cudaFilterModePoint, false), out);
  show("layers", out, 48);

  const cudaChannelFormatDesc colors = cudaCreateChannelDesc<uchar4>();
  cudaArray_t picture;
  check(cudaMallocArray(&picture, &colors, 4, 4));
  check(cudaMemcpy2DToArray(picture, 0, 0, host.data(), 16, 16, 4, cudaMemcpyHostToDevice));
  bytes<<<1, 16>>>(make(of_array(picture), cudaFilterModePoint, false, cudaReadModeNormalizedFloat), out);
  show("bytes", out, 16);

  cudaArray_t canvas;
  check(cudaMallocArray(&canvas, &format, 8, 8, cudaArraySurfaceLoadStore));
  const cudaResourceDesc painted = of_array(canvas);
  cudaSurfaceObject_t surface = 0;
  check(cudaCreateSurfaceObject(&surface, &painted));
  paint<<<1, 64>>>(surface);
  bend<<<1, 64>>>(surface);
  std::vector<float> seen(64);
  check(cudaMemcpy2DFromArray(seen.data(), 32, canvas, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
  std::printf("surface %.2f %.2f %.2f\n", seen[0], seen[9], seen[63]);
  check(cudaDestroySurfaceObject(surface));
  check(cudaFreeArray(canvas));
  check(cudaDeviceSynchronize());
}
)";

TEST_F(SplitOnGpu, TexturesAndSurfacesReadAsInOneProcess) {
  const Run whole = run(kTextures);
  ASSERT_EQ(whole.outcome, Run::Outcome::kDone) << whole.explanation;
  EXPECT_NE(whole.process.output.find("surface 0.00 3.25 22.75\n"), std::string::npos)
      << whole.process.output;
  EXPECT_EQ(whole.process.output.find("error"), std::string::npos) << whole.process.output;
  for (int i = 0; i < 3; ++i) {  // the context serves again
    const SplitRun split = run_split(kTextures);
    EXPECT_EQ(split.host.outcome, Run::Outcome::kDone) << split.host.explanation;
    EXPECT_EQ(split.device.outcome, Run::Outcome::kDone) << split.device.explanation;
    EXPECT_EQ(split.host.process.output, whole.process.output);
  }
  expect_nothing_left();
}

TEST_F(SplitOnGpu, UploadsToArraysAreMaskedAndReplayed) {
  const std::string program = R"(
#include <cstdio>
#include <vector>
__global__ void twice(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = 2 * tex2D<float>(t, threadIdx.x % 32 + 0.5f, threadIdx.x / 32 + 0.5f);
}
int main() {
  std::vector<float> x(256);
  for (int i = 0; i < 256; ++i) x[i] = i + 0.5f;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 32, 8);
  cudaMemcpy2DToArray(array, 0, 0, x.data(), 128, 128, 8, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  float* out;
  cudaMalloc(&out, 1024);
  twice<<<1, 256>>>(texture, out);
  cudaMemcpy(x.data(), out, 1024, cudaMemcpyDeviceToHost);
  cudaMemcpy2DFromArray(x.data(), 128, array, 0, 0, 128, 8, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", x[0], x[255]);
}
)";
  std::vector<float> shown(256), real(256), doubled(256);
  for (int i = 0; i < 256; ++i) shown[i] = i + 0.5f, real[i] = 1000 - i, doubled[i] = 2 * real[i];
  const auto bytes_of = [](const std::vector<float>& values) {
    const auto* begin = reinterpret_cast<const std::byte*>(values.data());
    return std::vector<std::byte>(begin, begin + values.size() * sizeof(float));
  };
  const std::vector<std::byte> a = bytes_of(shown), b = bytes_of(real);
  SplitOptions wanted;
  wanted.masks.push_back({a, b, "float32"});
  wanted.record = true;
  const SplitRun split = run_split(program, wanted);
  EXPECT_EQ(split.host.outcome, Run::Outcome::kDone) << split.host.explanation;
  EXPECT_EQ(split.host.process.output, "1000 745\n");
  ASSERT_EQ(split.downloads.size(), 2u);
  EXPECT_EQ(split.downloads[0], bytes_of(doubled));
  EXPECT_EQ(split.downloads[1], b);
  SplitOptions replayed;
  replayed.replayed_requests = split.requests;
  run_split(kTextures);  // another program has other handles
  const SplitRun again = run_split(program, replayed);
  ASSERT_EQ(again.downloads.size(), 2u);
  EXPECT_EQ(again.downloads[1], a);
}

TEST_F(SplitOnGpu, ProgramsThatShareAContextFindNothingOfEachOther) {
  for (int i = 0; i < 4; ++i) expect_nothing_left();
}

TEST_F(SplitOnGpu, FreshMemoryIsPoisonedOrZero) {
  const std::string program = R"(
#include <cstdio>
__global__ void copy(const unsigned* from, unsigned* to) { *to = *from; }
int main() {
  unsigned *memory, value = 1;
  cudaMalloc(&memory, 8);
  copy<<<1, 1>>>(memory, memory + 1);
  cudaMemcpy(&value, memory + 1, 4, cudaMemcpyDeviceToHost);
  std::printf("%x\n", value);
}
)";
  SplitOptions trusted;
  trusted.trusted = trusted.zeroed = true;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run_split(program).host.process.output, "ffffffff\n");
    EXPECT_EQ(run_split(program, trusted).host.process.output, "0\n");
  }
}

TEST_F(SplitOnGpu, AFailedOrEndlessKernelDoesNotHarmTheNextProgram) {
  const std::string begin = "__global__ void k(volatile int* p) { ";
  const std::string end =
      " }\nint main() { int* p; cudaMalloc(&p, 64); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }";
  EXPECT_NE(run_split(begin + "__trap();" + end).host.outcome, Run::Outcome::kDone);
  expect_nothing_left();
  limits_.wall_time = std::chrono::seconds(3);
  const SplitRun endless = run_split(begin + "while (p[0] != 1) {}" + end);
  EXPECT_EQ(endless.device.outcome, Run::Outcome::kTimeout) << endless.device.explanation;
  limits_.wall_time = std::chrono::seconds(30);
  expect_nothing_left();
}

TEST_F(SplitOnGpu, RecordedRequestsAreReplayed) {
  SplitOptions recorded;
  recorded.record = true;
  const SplitRun first = run_split(kSaxpy, recorded);
  ASSERT_FALSE(first.requests.empty());
  SplitOptions replayed;
  replayed.replayed_requests = first.requests;
  const SplitRun again = run_split(kSaxpy, replayed);
  EXPECT_EQ(again.device.outcome, Run::Outcome::kDone) << again.device.explanation;
  EXPECT_EQ(again.downloads, first.downloads);
  replayed.idle_kernels = {"saxpy"};
  EXPECT_NE(run_split(kSaxpy, replayed).downloads, first.downloads);
}

}  // namespace
}  // namespace cuset::execute
