#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "support/test_kernels.h"

namespace cuset_emulator {
namespace {

struct Memory {
  char* device = nullptr;
  char* other = nullptr;
  char* managed = nullptr;
  char* pinned = nullptr;
  char own[64] = {};

  Memory() {
    cudaMalloc(reinterpret_cast<void**>(&device), 64);
    cudaMalloc(reinterpret_cast<void**>(&other), 64);
    cudaMallocManaged(reinterpret_cast<void**>(&managed), 64);
    cudaMallocHost(reinterpret_cast<void**>(&pinned), 64);
  }
  ~Memory() {
    cudaFree(device);
    cudaFree(other);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaGetLastError();
  }
};

TEST(Memcpy, DirectionsMustFitThePointers) {
  Memory m;
  struct Case {
    void* to;
    const void* from;
    cudaMemcpyKind kind;
    cudaError_t error;
  };
  const Case cases[] = {
      {m.device, m.own, cudaMemcpyHostToDevice, cudaSuccess},
      {m.own, m.device, cudaMemcpyDeviceToHost, cudaSuccess},
      {m.device, m.other, cudaMemcpyDeviceToDevice, cudaSuccess},
      {m.own, m.own, cudaMemcpyHostToHost, cudaSuccess},
      {m.device, m.own, cudaMemcpyDefault, cudaSuccess},
      {m.own, m.device, cudaMemcpyDefault, cudaSuccess},
      {m.managed, m.own, cudaMemcpyHostToDevice, cudaSuccess},
      {m.own, m.managed, cudaMemcpyDeviceToHost, cudaSuccess},
      {m.device, m.pinned, cudaMemcpyHostToDevice, cudaSuccess},
      {m.device, m.own, cudaMemcpyDeviceToHost, cudaErrorInvalidValue},
      {m.own, m.device, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {m.device, m.own, cudaMemcpyDeviceToDevice, cudaErrorInvalidValue},
      {m.own, m.device, cudaMemcpyHostToHost, cudaErrorInvalidValue},
      {m.own, m.own, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {m.device, m.own, static_cast<cudaMemcpyKind>(5), cudaErrorInvalidMemcpyDirection},
      {nullptr, m.own, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {m.device, nullptr, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {m.device + 1, m.own, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {m.device + 1000, m.own, cudaMemcpyDefault, cudaErrorInvalidValue},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(cudaMemcpy(example.to, example.from, 64, example.kind), example.error)
        << "case " << &example - cases;
  }
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST(Memcpy, FreedMemoryIsRefused) {
  void* memory = nullptr;
  char own[16] = {};
  cudaMalloc(&memory, 16);
  cudaFree(memory);
  EXPECT_EQ(cudaMemcpy(own, memory, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(memory, 0, 16), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Memcpy, RowsKeepTheirPitches) {
  std::vector<int> from(6 * 4), to(5 * 4, -1);
  std::iota(from.begin(), from.end(), 0);
  void* memory = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 3 * sizeof(int), 4), cudaSuccess);
  EXPECT_EQ(pitch % 32, 0u);
  ASSERT_EQ(cudaMemcpy2D(memory, pitch, from.data(), 24, 12, 4, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(to.data(), 20, memory, pitch, 12, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(to, (std::vector<int>{0, 1, 2, -1, -1, 6, 7, 8, -1, -1, 12, 13, 14, -1, -1, 18, 19, 20, -1, -1}));
  EXPECT_EQ(cudaMemcpy2D(to.data(), 8, memory, pitch, 12, 4, cudaMemcpyDeviceToHost),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(to.data(), 20, memory, pitch, 12, 5, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  cudaFree(memory);
  cudaGetLastError();
}

TEST(Memcpy, BoxesOfThreeDimensions) {
  std::vector<char> from(4 * 3 * 2), to(from.size());
  std::iota(from.begin(), from.end(), 1);
  cudaPitchedPtr memory{};
  ASSERT_EQ(cudaMalloc3D(&memory, {4, 3, 2}), cudaSuccess);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {from.data(), 4, 4, 3};
  copy.dstPtr = memory;
  copy.extent = {4, 3, 2};
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  copy.srcPtr = memory;
  copy.srcPos = {1, 1, 0};
  copy.dstPtr = {to.data(), 4, 4, 3};
  copy.extent = {2, 2, 2};
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  EXPECT_EQ(
      to, (std::vector<char>{6, 7, 0, 0, 10, 11, 0, 0, 0, 0, 0, 0, 18, 19, 0, 0, 22, 23, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  cudaFree(memory.ptr);
  cudaGetLastError();
}

TEST(Memcpy, VariablesOfDeviceCode) {
  register_test_kernels();
  int values[4] = {};
  ASSERT_EQ(cudaMemcpyFromSymbol(values, table_shadow, sizeof(values)), cudaSuccess);
  EXPECT_EQ(std::vector<int>(values, values + 4), (std::vector<int>{1, 2, 3, 4}));
  int changed = 9;
  EXPECT_EQ(cudaMemcpyToSymbol(table_shadow, &changed, 4, 8), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(table_shadow, &changed, 4, 13), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(table_shadow, &changed, 4, 8, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyToSymbol(&changed, &changed, 4), cudaErrorInvalidSymbol);
  void* address = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&address, table_shadow), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, table_shadow), cudaSuccess);
  EXPECT_EQ(bytes, 16u);
  ASSERT_EQ(cudaMemcpy(values, address, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(values[2], 9);
  EXPECT_EQ(cudaMemcpy(table_shadow, values, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(values, table_shadow, sizeof(values)), cudaSuccess);
  EXPECT_EQ(values[2], 3) << "a reset brings back the first values";
}

TEST(Memset, FillsRowsAndNothingElse) {
  std::vector<unsigned char> seen(12);
  void* memory = nullptr;
  cudaMalloc(&memory, 12);
  ASSERT_EQ(cudaMemset(memory, 0x11, 12), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(memory, 4, 0x22, 2, 3), cudaSuccess);
  cudaMemcpy(seen.data(), memory, 12, cudaMemcpyDeviceToHost);
  EXPECT_EQ(seen, (std::vector<unsigned char>{0x22, 0x22, 0x11, 0x11, 0x22, 0x22, 0x11, 0x11, 0x22, 0x22,
                                              0x11, 0x11}));
  EXPECT_EQ(cudaMemset(memory, 0, 13), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(nullptr, 0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(seen.data(), 0, 1), cudaErrorInvalidValue);
  cudaFree(memory);
  cudaGetLastError();
}

}  // namespace
}  // namespace cuset_emulator
