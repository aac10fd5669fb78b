#include "runtime/memory/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "runtime/memory/device_gate.h"

namespace cuset_emulator {
namespace {

uint64_t allocated(uint64_t bytes, MemoryKind kind = MemoryKind::kDevice) {
  uint64_t address = allocate_memory(bytes, kind);
  EXPECT_NE(address, 0u);
  return address;
}

int read_byte(uint64_t address) { return *reinterpret_cast<volatile unsigned char*>(address); }

TEST(DeviceMemory, TheHostCannotTouchItOutsideLaunches) {
  uint64_t address = allocated(4096);
  EXPECT_DEATH(read_byte(address), "");
  {
    DeviceGate::Passage passage(device_gate(), {address, 4096}, {});
    EXPECT_EQ(read_byte(address), 0xFF);
  }
  EXPECT_DEATH(read_byte(address), "");
  open_device_memory();
  open_device_memory();
  close_device_memory();
  EXPECT_EQ(read_byte(address), 0xFF);
  close_device_memory();
  EXPECT_DEATH(read_byte(address), "");
  free_memory(address, MemoryKind::kDevice);
}

TEST(DeviceMemory, StaysOpenThroughARowOfLaunchesUntilSynchronized) {
  uint64_t address = allocated(4096);
  for (int launch = 0; launch < 100; ++launch) {
    open_device_memory();
    device_gate().close_after_launch();
  }
  EXPECT_EQ(read_byte(address), 0xFF);
  device_gate().close_now();
  EXPECT_DEATH(read_byte(address), "");
  open_device_memory();
  device_gate().close_after_launch();
  EXPECT_DEATH(read_byte(address), "");
  free_memory(address, MemoryKind::kDevice);
}

TEST(DeviceMemory, NewMemoryIsOpenWhereTheRestIs) {
  open_device_memory();
  uint64_t address = allocated(5 << 20);
  EXPECT_EQ(read_byte(address), 0xFF);
  std::memset(reinterpret_cast<void*>(address), 1, 5 << 20);
  close_device_memory();
  free_memory(address, MemoryKind::kDevice);
}

TEST(DeviceMemory, IsLimitedAndCounted) {
  size_t free_before = 0, total = 0, free_after = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_before, &total), cudaSuccess);
  EXPECT_GE(total, free_before);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaMalloc(&memory, SIZE_MAX), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&memory, 10 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free_after, &total), cudaSuccess);
  EXPECT_EQ(free_before - free_after, 10u << 20);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free_after, &total), cudaSuccess);
  EXPECT_EQ(free_before, free_after);
  cudaGetLastError();
}

TEST(DeviceMemory, IsFreedOnceAndByItsOwner) {
  void* device = nullptr;
  void* pinned = nullptr;
  void* managed = nullptr;
  int own = 0;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(&own), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(static_cast<char*>(device) + 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(DeviceMemory, NullResultsAreRefused) {
  EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(nullptr, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocPitch(nullptr, nullptr, 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3D(nullptr, {1, 1, 1}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostAlloc(nullptr, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemGetInfo(nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPointerGetAttributes(nullptr, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(DeviceMemory, PointersTellWhatTheyAre) {
  void* device = nullptr;
  void* managed = nullptr;
  int own = 0;
  cudaMalloc(&device, 100);
  cudaMallocManaged(&managed, 100);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, static_cast<char*>(device) + 50), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  cudaPointerGetAttributes(&attributes, managed);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  cudaPointerGetAttributes(&attributes, &own);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  cudaHostRegister(&own, sizeof(own), 0);
  cudaPointerGetAttributes(&attributes, &own);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostRegister(&own, sizeof(own), 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(&own), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(&own), cudaErrorHostMemoryNotRegistered);
  cudaFree(device);
  cudaFree(managed);
  cudaGetLastError();
}

TEST(DeviceMemory, ServesSeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int round = 0; round < 200; ++round) {
        void* memory = nullptr;
        std::vector<int> values(1000, t), back(1000);
        ASSERT_EQ(cudaMalloc(&memory, 4000), cudaSuccess);
        ASSERT_EQ(cudaMemcpy(memory, values.data(), 4000, cudaMemcpyHostToDevice), cudaSuccess);
        ASSERT_EQ(cudaMemcpy(back.data(), memory, 4000, cudaMemcpyDeviceToHost), cudaSuccess);
        ASSERT_EQ(values, back);
        ASSERT_EQ(cudaFree(memory), cudaSuccess);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Initialization, BytesAreNewUntilWritten) {
  track_initialization();
  ASSERT_TRUE(tracks_initialization());
  uint64_t address = allocated(1000);
  EXPECT_FALSE(is_initialized(address, 1));
  mark_initialized(address + 3, 130);
  EXPECT_TRUE(is_initialized(address + 3, 130));
  EXPECT_TRUE(is_initialized(address + 100, 1));
  EXPECT_FALSE(is_initialized(address + 2, 2));
  EXPECT_FALSE(is_initialized(address + 132, 2));
  free_memory(address, MemoryKind::kDevice);
}

TEST(Initialization, CopiesBetweenDeviceMemoryCarryIt) {
  track_initialization();
  for (uint64_t shift : {0, 1, 64}) {
    uint64_t from = allocated(1000), to = allocated(1000);
    mark_initialized(from + 10, 200);
    mark_initialized(to, 500);
    copy_initialization(to + shift, from, 300);
    EXPECT_FALSE(is_initialized(to + shift + 9, 1)) << shift;
    EXPECT_TRUE(is_initialized(to + shift + 10, 200)) << shift;
    EXPECT_FALSE(is_initialized(to + shift + 210, 1)) << shift;
    EXPECT_TRUE(is_initialized(to + shift + 300, 100)) << shift;
    free_memory(from, MemoryKind::kDevice);
    free_memory(to, MemoryKind::kDevice);
  }
}

TEST(Initialization, CallsOfTheHostMarkWhatTheyWrite) {
  track_initialization();
  uint64_t address = allocated(1000);
  std::vector<char> bytes(100);
  cudaMemcpy(reinterpret_cast<void*>(address), bytes.data(), 100, cudaMemcpyHostToDevice);
  EXPECT_TRUE(is_initialized(address, 100));
  EXPECT_FALSE(is_initialized(address + 100, 1));
  cudaMemset(reinterpret_cast<void*>(address + 100), 0, 50);
  EXPECT_TRUE(is_initialized(address, 150));
  EXPECT_FALSE(is_initialized(address + 150, 1));
  free_memory(address, MemoryKind::kDevice);
}

TEST(Initialization, MemoryTheHostWritesByItselfCountsAsWritten) {
  track_initialization();
  uint64_t managed = allocated(100, MemoryKind::kManaged);
  EXPECT_TRUE(is_initialized(managed, 100));
  free_memory(managed, MemoryKind::kManaged);
}

}  // namespace
}  // namespace cuset_emulator
