// Host code and kernels of one program as two processes, the kernels on a real GPU (docs/proof-of-work.md); skipped where there
// is none.
#include <gtest/gtest.h>

#include "execute/record/kernel_profile.h"
#include "execute/run/gpu_executor_fixture.h"

namespace cuset::execute {
namespace {

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

// Sums of what kernels read through textures, each value times its place.
const std::string kTextures = R"(
#include <cstdio>
#include <vector>
struct Holder { int unused; cudaTextureObject_t texture; };
__device__ float place(int i) { return 1.0f + (i % 7) * 0.5f; }
__global__ void linear(const cudaTextureObject_t* handles, float* out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(handles[0], i) * place(i);
}
__global__ void plane(Holder holder, float* out, int width, int height, float scale_x, float scale_y, float shift) {
  for (int i = threadIdx.x; i < width * height; i += blockDim.x)
    out[i] = tex2D<float>(holder.texture, (i % width + shift) * scale_x, (i / width + shift) * scale_y) * place(i);
}
__global__ void bytes(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  const float4 v = tex1Dfetch<float4>(t, i);
  out[i] = v.x + 2 * v.y + 3 * v.z + 4 * v.w;
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
  for (cudaTextureAddressMode& side : how.addressMode) side = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
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
  cudaTextureObject_t* handles;
  check(cudaMalloc(&handles, sizeof row));
  check(cudaMemcpy(handles, &row, sizeof row, cudaMemcpyHostToDevice));
  linear<<<1, 512>>>(handles, out);
  show("linear", out, 512);
  check(cudaDestroyTextureObject(row));
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  bytes<<<1, 512>>>(make(resource, cudaFilterModePoint, false, cudaReadModeNormalizedFloat), out);
  show("bytes", out, 512);

  float* pitched;
  size_t pitch;
  check(cudaMallocPitch(&pitched, &pitch, 20 * 4, 16));
  check(cudaMemcpy2D(pitched, pitch, host.data(), 20 * 4, 20 * 4, 16, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {pitched, cudaCreateChannelDesc<float>(), 20, 16, pitch};
  plane<<<1, 128>>>({0, make(resource, cudaFilterModeLinear, false)}, out, 20, 16, 1, 1, 0.75f);
  show("pitched", out, 320);
  plane<<<1, 128>>>({0, make(resource, cudaFilterModePoint, true)}, out, 20, 16, 1.0f / 20, 1.0f / 16, 3.5f);
  show("normalized", out, 320);
  check(cudaDeviceSynchronize());
}
)";

TEST_F(SplitOnGpu, TexturesReadAsInOneProcess) {
  const Run whole = run(kTextures);
  ASSERT_EQ(whole.outcome, Run::Outcome::kDone) << whole.explanation;
  EXPECT_NE(whole.process.output.find("normalized "), std::string::npos) << whole.process.output;
  EXPECT_EQ(whole.process.output.find("error"), std::string::npos) << whole.process.output;
  for (int i = 0; i < 3; ++i) {  // the context serves again
    const SplitRun split = run_split(kTextures);
    EXPECT_EQ(split.host.outcome, Run::Outcome::kDone) << split.host.explanation;
    EXPECT_EQ(split.device.outcome, Run::Outcome::kDone) << split.device.explanation;
    EXPECT_EQ(split.host.process.output, whole.process.output);
  }
  expect_nothing_left();
}

TEST_F(SplitOnGpu, WhatATextureReadsIsMaskedAndReplayed) {
  const std::string program = R"(
#include <cstdio>
#include <vector>
__global__ void twice(cudaTextureObject_t t, float* out) { out[threadIdx.x] = 2 * tex1Dfetch<float>(t, threadIdx.x); }
int main() {
  std::vector<float> x(256);
  for (int i = 0; i < 256; ++i) x[i] = i + 0.5f;
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 1024);
  cudaMemcpy(in, x.data(), 1024, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {in, cudaCreateChannelDesc<float>(), 1024};
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  twice<<<1, 256>>>(texture, out);
  cudaMemcpy(x.data(), out, 1024, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", x[0], x[255]);
}
)";
  const auto bytes_of = [](const std::vector<float>& values) {
    const auto* begin = reinterpret_cast<const std::byte*>(values.data());
    return std::vector<std::byte>(begin, begin + values.size() * sizeof(float));
  };
  std::vector<float> shown(256), real(256), twice_shown(256), twice_real(256);
  for (int i = 0; i < 256; ++i) {
    shown[i] = i + 0.5f, real[i] = 1000 - i;
    twice_shown[i] = 2 * shown[i], twice_real[i] = 2 * real[i];
  }
  const std::vector<std::byte> a = bytes_of(shown), b = bytes_of(real);
  SplitOptions wanted;
  wanted.masks.push_back({a, b, "float32"});
  wanted.record = true;
  const SplitRun split = run_split(program, wanted);
  EXPECT_EQ(split.host.outcome, Run::Outcome::kDone) << split.host.explanation;
  EXPECT_EQ(split.host.process.output, "2000 1490\n");
  ASSERT_EQ(split.downloads.size(), 1u);
  EXPECT_EQ(split.downloads[0], bytes_of(twice_real));
  SplitOptions replayed;
  replayed.replayed_requests = split.requests;
  run_split(kTextures);  // another program has other handles
  const SplitRun again = run_split(program, replayed);
  ASSERT_EQ(again.downloads.size(), 1u);
  EXPECT_EQ(again.downloads[0], bytes_of(twice_shown));
}

TEST_F(SplitOnGpu, ArraysAndSurfacesAreUnsupportedByName) {
  const auto expect_unsupported = [&](const std::string& calls, const std::string& name) {
    const SplitRun split =
        run_split("__global__ void k() {}\nint main() {\n" + calls + "  k<<<1, 1>>>();\n  return 0;\n}\n");
    EXPECT_EQ(split.host.outcome, Run::Outcome::kUnsupported) << split.host.explanation;
    EXPECT_NE(split.host.explanation.find(name), std::string::npos) << split.host.explanation;
  };
  const std::string format =
      "  cudaArray_t array;\n  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();\n";
  expect_unsupported(format + "  cudaMallocArray(&array, &format, 32, 8);\n", "CUDA arrays");
  expect_unsupported(format + "  cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 4));\n",
                     "CUDA arrays");
  expect_unsupported(
      "  cudaResourceDesc resource = {};\n  cudaSurfaceObject_t surface;\n"
      "  cudaCreateSurfaceObject(&surface, &resource);\n",
      "surface objects");
  expect_nothing_left();
}

TEST_F(SplitOnGpu, TheFootprintOfAKernelIsWhatItsArgumentsReach) {
  if (executor().recorder().name != "cupti") GTEST_SKIP() << "skipped: no CUPTI";
  const std::string program = R"(
__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  const int n = 1 << 24;
  float *x, *y, *unused;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&unused, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  for (int i = 0; i < 3; ++i) saxpy<<<n / 256, 256>>>(n, 2, x, y);
  return cudaDeviceSynchronize();
}
)";
  SplitOptions timed;
  timed.timed = true;
  const SplitRun split = run_split(program, timed);
  EXPECT_EQ(split.device.outcome, Run::Outcome::kDone) << split.device.explanation;
  ASSERT_EQ(split.device.kernels.size(), 1u);
  const KernelLaunches& saxpy = split.device.kernels[0];
  EXPECT_EQ(saxpy.launches, 3u);
  EXPECT_EQ(saxpy.footprint_bytes, 2u * (1 << 24) * sizeof(float));
  // It reads both and writes one: a half more passes through memory.
  const FootprintRate rate = footprint_rate_of(saxpy, executor().gpu());
  EXPECT_GT(rate.gigabytes_per_second, 10);
  EXPECT_GT(rate.share, 0.02);
  EXPECT_LT(rate.share, 0.7);
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
