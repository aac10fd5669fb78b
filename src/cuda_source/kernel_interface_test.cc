#include "cuda_source/kernel_interface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace cuset::cuda_source {
namespace {

// "name(type name!, ...) <template> block" with * for pointers, ! for what may be written, # for whole numbers.
std::string dump(std::string_view source) {
  std::string text;
  for (const KernelInterface& kernel : find_kernel_interfaces(source)) {
    std::vector<std::string> parameters, arguments;
    for (const KernelParameter& parameter : kernel.parameters)
      parameters.push_back(fmt::format("{}{}{}", parameter.name,
                                       parameter.is_pointer ? (parameter.is_const ? "*" : "*!") : "",
                                       parameter.is_integer ? "#" : ""));
    for (const TemplateParameter& parameter : kernel.template_parameters)
      arguments.push_back(parameter.name + (parameter.is_type ? "" : "#"));
    text += fmt::format("{}({}) <{}> {} {}d block {} shared {}{}\n", kernel.qualified,
                        fmt::join(parameters, ", "), fmt::join(arguments, ", "), kernel.template_arguments,
                        kernel.dimensions, fmt::join(kernel.block, "x"), fmt::join(kernel.shared_sides, "x"),
                        kernel.has_dynamic_shared ? "+" : "");
  }
  return text;
}

TEST(KernelInterface, ParametersAreTakenApart) {
  EXPECT_EQ(
      dump("__global__ void f(const float* __restrict__ x, float *y, int n, float a = 2.f, size_t m) {}"),
      "f(x*, y*!, n#, a, m#) <>  1d block 0x0x0 shared \n");
  EXPECT_EQ(dump("__global__ void f(float const * const x, unsigned char out[], void) {}"),
            "f(x*, out*!) <>  1d block 0x0x0 shared \n");
  EXPECT_EQ(dump("__global__ void f() { int i = threadIdx.x; }\n__global__ void g(int) {}"),
            "f() <>  1d block 0x0x0 shared \ng(#) <>  1d block 0x0x0 shared \n");
  EXPECT_EQ(dump("__global__ void f(std::pair<int, int> p, float** rows);\n"), "");
}

TEST(KernelInterface, TemplatesNamespacesAndLaunchesAreSeen) {
  EXPECT_EQ(
      dump("#define TILE 16\nnamespace a::b { namespace {\n"
           "template <typename T, int N = 4>\n__global__ void f(T* x) { __shared__ T s[TILE][TILE + 1]; "
           "x[threadIdx.y * N + threadIdx.x] = s[0][0]; }\n}}\n"
           "void go(float* x) { dim3 block(TILE, TILE); a::b::f<float, 4><<<1, block>>>(x); }\n"),
      "a::b::f(x*!) <T, N#> float, 4 2d block 16x16x1 shared \n");
  EXPECT_EQ(dump("constexpr int kThreads = 128;\n"
                 "__global__ void f(int* x) { __shared__ int s[kThreads]; extern __shared__ int d[]; }\n"
                 "void go(int* x) { f<<<3, kThreads>>>(x); }\n"),
            "f(x*!) <>  1d block 128x1x1 shared 128+\n");
  EXPECT_EQ(dump("__global__ void f(int* x) { x[blockIdx.z] = 1; }\n"
                 "void go(int* x, int n) { f<<<3, n>>>(x); f<<<1, dim3(8, 4)>>>(x); }\n"),
            "f(x*!) <>  3d block 8x4x1 shared \n");
}

TEST(KernelInterface, KernelsThatNeverAskForTheirBlockAreMeantForOne) {
  const auto kernels = find_kernel_interfaces(
      "__global__ void one(int* x) { x[threadIdx.x] = 1; }\n__global__ void many(int* x) { x[blockIdx.x] = 1; }\n");
  EXPECT_FALSE(kernels.at(0).has_several_blocks);
  EXPECT_TRUE(kernels.at(1).has_several_blocks);
  EXPECT_TRUE(find_kernel_interfaces(
                  "#define ID (blockIdx.x * 32 + threadIdx.x)\n__global__ void f(int* x) { x[ID] = 1; }\n")
                  .at(0)
                  .has_several_blocks);
}

TEST(KernelInterface, AnyBytesAreAccepted) {
  for (const char* source :
       {"__global__", "__global__ void f(", "__global__ void f(int", "template <__global__ void f(int x) {",
        "__global__ void f(int x) { __shared__ int s[", "f<<<1, dim3(", "__global__ void f(=) {}",
        "__global__ void f([) {}", "dim3 b\n__global__ void f(int*x){} void g(){ f<<<1,b>>>(0); } dim3",
        "#define"})
    EXPECT_NO_THROW(dump(source)) << source;
}

}  // namespace
}  // namespace cuset::cuda_source
