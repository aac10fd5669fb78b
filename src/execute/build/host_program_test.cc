#include "execute/build/host_program.h"

#include <gtest/gtest.h>

#include "base/files/scratch_file.h"
#include "base/files/temporary_folder.h"
#include "emulator/toolchain.h"
#include "execute/build/nvcc_compiler.h"

namespace cuset::execute {
namespace {

TEST(UndefinedFunctions, AreNamedOnce) {
  EXPECT_EQ(undefined_functions("a.o: in function `f':\n"
                                "a.cc:(.text+0x1): undefined reference to `cudaFoo'\n"
                                "b.cc:(.text+0x2): undefined reference to `cublasCreate_v2'\n"
                                "c.cc:(.text+0x3): undefined reference to `cudaFoo'\n"),
            (std::vector<std::string>{"cublasCreate_v2", "cudaFoo"}));
  EXPECT_TRUE(undefined_functions("ld: cannot open x\nmore\n").empty());
  EXPECT_EQ(undefined_functions("undefined reference to `cut"), std::vector<std::string>{"cut"});
}

TEST(StandIns, AreForNamesOfCOnly) {
  EXPECT_NE(stand_ins_for({"cudaFoo"})->find("void cudaFoo() { cuset_unsupported(\"cudaFoo\"); }"),
            std::string::npos);
  EXPECT_FALSE(stand_ins_for({"cudaFoo", "foo(int)"}));
}

class HostProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::optional<Nvcc> nvcc = find_nvcc();
    if (!nvcc) GTEST_SKIP() << "skipped: no nvcc";
    NvccSettings settings;
    settings.host_runtime = emulator::find_runtime_folder();
    ASSERT_FALSE(settings.host_runtime.empty());
    compiler_.emplace(find_toolkit(*nvcc), settings);
  }

  Build build(const std::string& text, Isolation isolation) {
    const std::filesystem::path source = sources_ / "answer.cu";
    base::write_scratch_file(source, text);
    BuildOptions options;
    options.architecture = "sm_90";
    options.companions.isolation = isolation;
    return compiler_->build(CudaSource::read(source), options, folder_.path());
  }

  base::TemporaryFolder sources_;
  base::TemporaryFolder folder_;
  std::optional<NvccCompiler> compiler_;
};

constexpr const char* kManyCalls = R"(#include <cuda_runtime.h>
struct Pair { double a; char b; };
__constant__ float table[16];
__managed__ int shared_by_both;
template <class T> __global__ void add(T* x, Pair pair, int n) {
  if (threadIdx.x < n) x[threadIdx.x] += pair.a * table[threadIdx.x % 16] + shared_by_both;
}
int main() {
  float* x;
  cudaMalloc(&x, 400);
  add<float><<<1, 100>>>(x, Pair{1, 2}, 100);
  float values[16] = {};
  cudaMemcpyToSymbol(table, values, sizeof values);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaFuncSetAttribute(add<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add<float>, 128, 0);
  cudaLaunchConfig_t config{};
  cudaLaunchKernelEx(&config, add<float>, x, Pair{1, 2}, 3);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  return shared_by_both + cudaDeviceSynchronize();
}
)";

TEST_F(HostProgram, IsLinkedBesideAnAnswer) {
  const Build built = build(kManyCalls, Isolation::kProgram);
  ASSERT_TRUE(built.done()) << built.messages;
  EXPECT_TRUE(std::filesystem::exists(folder_ / kHostProgram));
  EXPECT_FALSE(std::filesystem::exists(folder_ / kHostFault));
}

TEST_F(HostProgram, IsNotMadeOfAUsersOwnProgram) {
  ASSERT_TRUE(build(kManyCalls, Isolation::kNone).done());
  EXPECT_FALSE(std::filesystem::exists(folder_ / kHostProgram));
}

TEST_F(HostProgram, MayNameFunctionsThatNobodyServes) {
  const Build built = build(R"(#include <cuda_runtime.h>
__global__ void nothing() {}
int main() {
  nothing<<<1, 1>>>();
  cudaMipmappedArray_t array;
  cudaChannelFormatDesc format{};
  return cudaMallocMipmappedArray(&array, &format, cudaExtent{8, 8, 0}, 1);
}
)",
                            Isolation::kProgram);
  ASSERT_TRUE(built.done()) << built.messages;
  EXPECT_TRUE(std::filesystem::exists(folder_ / kHostProgram));
}

constexpr const char* kRenamedLibrary = R"(#define cub mine
#include <cub/device/device_reduce.cuh>
#include <cub/block/block_reduce.cuh>
#define MAKE(name) __global__ void name(float* x) { x[threadIdx.x] = 1; }
namespace { MAKE(made) }
template <class T> __global__ void sum(const T* x, T* y) {
  using Reduce = mine::BlockReduce<T, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const T total = Reduce(storage).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) *y = total;
}
int main() {
  float *x = nullptr, *y = nullptr;
  size_t bytes = 0;
  mine::DeviceReduce::Sum(nullptr, bytes, x, y, 100);
  made<<<1, 32>>>(x);
  sum<<<1, 128>>>(x, y);
}
)";

TEST_F(HostProgram, KernelsOfALibrarysHeadersAreNotTheAnswersOwn) {
  const Build plain = build(kManyCalls, Isolation::kProgram);
  ASSERT_TRUE(plain.done()) << plain.messages;
  EXPECT_FALSE(plain.own_kernels);
  EXPECT_EQ(plain.command.find("-lineinfo"), std::string::npos) << plain.command;
  const Build built = build(kRenamedLibrary, Isolation::kProgram);
  if (built.messages.find("No such file") != std::string::npos)
    GTEST_SKIP() << "skipped: this toolkit lacks CUB";
  ASSERT_TRUE(built.done()) << built.messages;
  EXPECT_EQ(built.own_kernels,
            (std::vector<std::string>{"(anonymous namespace)::made", "(anonymous namespace)::made(float*)",
                                      "sum<float>", "sum<float>(float const*, float*)"}));
}

// The guess from the text misses what a macro includes; the preprocessed text does not.
TEST_F(HostProgram, AHeaderThatAMacroIncludesIsSeen) {
  const std::filesystem::path header = sources_ / "library.h";
  base::write_scratch_file(
      header, std::string_view("namespace library { __global__ void fill(float* x) { *x = 1; } }\n"));
  BuildOptions options;
  options.architecture = "sm_90";
  options.companions.isolation = Isolation::kProgram;
  options.include_folders = {sources_.path()};
  const std::string text =
      "#define HEADER <library.h>\n#include HEADER\n__global__ void own(float* x) { *x = 2; }\n"
      "int main() { own<<<1, 1>>>(nullptr); library::fill<<<1, 1>>>(nullptr); }\n";
  const Build built = compiler_->build({"answer.cu", text}, options, folder_.path());
  ASSERT_TRUE(built.done()) << built.messages;
  EXPECT_EQ(built.own_kernels, (std::vector<std::string>{"own", "own(float*)"}));
}

}  // namespace
}  // namespace cuset::execute
