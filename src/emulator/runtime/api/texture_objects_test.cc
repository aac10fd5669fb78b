#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "cuset_emulator/texture_api.h"
#include "cuset_emulator/texture_object.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

constexpr cudaChannelFormatDesc kFloat{32, 0, 0, 0, cudaChannelFormatKindFloat};
constexpr cudaChannelFormatDesc kBytes4{8, 8, 8, 8, cudaChannelFormatKindUnsigned};

struct Array {
  cudaArray_t handle = nullptr;
  Array(const cudaChannelFormatDesc& format, size_t width, size_t height, unsigned flags = 0) {
    EXPECT_EQ(cudaMallocArray(&handle, &format, width, height, flags), cudaSuccess);
  }
  ~Array() {
    cudaFreeArray(handle);
    cudaGetLastError();
  }
};

TEST(Array, KeepsRows) {
  Array array(kFloat, 5, 3);
  std::vector<float> from(15), to(15);
  std::iota(from.begin(), from.end(), 1.0f);
  ASSERT_EQ(cudaMemcpy2DToArray(array.handle, 0, 0, from.data(), 20, 20, 3, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromArray(to.data(), array.handle, 0, 0, 60, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(from, to);
  float one = 0;
  ASSERT_EQ(cudaMemcpy2DFromArray(&one, 4, array.handle, 8, 1, 4, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(one, 8.0f);
  std::vector<float> across{-1, -2};
  ASSERT_EQ(cudaMemcpyToArray(array.handle, 16, 0, across.data(), 8, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromArray(to.data(), array.handle, 0, 0, 60, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::vector<float>(to.begin() + 3, to.begin() + 7), (std::vector<float>{4, -1, -2, 7}));
}

TEST(Array, RefusesWhatLiesOutside) {
  Array array(kFloat, 5, 3);
  char bytes[100] = {};
  EXPECT_EQ(cudaMemcpy2DToArray(array.handle, 4, 0, bytes, 20, 20, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array.handle, 0, 1, bytes, 20, 20, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToArray(array.handle, 0, 0, bytes, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(nullptr, 0, 0, bytes, 4, 4, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidResourceHandle);
}

TEST(Array, FormatsAreChecked) {
  cudaArray_t array = nullptr;
  for (cudaChannelFormatDesc format : {cudaChannelFormatDesc{24, 0, 0, 0, cudaChannelFormatKindUnsigned},
                                       cudaChannelFormatDesc{8, 8, 8, 0, cudaChannelFormatKindUnsigned},
                                       cudaChannelFormatDesc{8, 16, 0, 0, cudaChannelFormatKindUnsigned},
                                       cudaChannelFormatDesc{8, 0, 0, 0, cudaChannelFormatKindFloat}}) {
    EXPECT_EQ(cudaMallocArray(&array, &format, 4, 4), cudaErrorInvalidChannelDescriptor);
  }
  EXPECT_EQ(cudaMallocArray(&array, nullptr, 4, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, &kFloat, 0, 4), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Array, TakesBoxesOfTexels) {
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&array, &kFloat, {4, 3, 2}), cudaSuccess);
  std::vector<float> from(24), to(8);
  std::iota(from.begin(), from.end(), 0.0f);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {from.data(), 16, 4, 3};
  copy.dstArray = array;
  copy.extent = {4, 3, 2};
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  copy = {};
  copy.srcArray = array;
  copy.srcPos = {2, 1, 0};
  copy.dstPtr = {to.data(), 8, 2, 2};
  copy.extent = {2, 2, 2};
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  EXPECT_EQ(to, (std::vector<float>{6, 7, 10, 11, 18, 19, 22, 23}));
  cudaFreeArray(array);
}

TEST(Texture, DescribesItsArray) {
  Array array(kBytes4, 6, 2);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array.handle;
  cudaTextureDesc sampling{};
  sampling.addressMode[0] = cudaAddressModeWrap;
  sampling.addressMode[1] = cudaAddressModeBorder;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeNormalizedFloat;
  sampling.borderColor[2] = 0.5f;
  cudaTextureObject_t handle = 0;
  ASSERT_EQ(cudaCreateTextureObject(&handle, &resource, &sampling, nullptr), cudaSuccess);
  const CusetTexture& texture = *reinterpret_cast<const CusetTexture*>(handle);
  EXPECT_EQ(texture.magic, CUSET_TEXTURE_MAGIC);
  EXPECT_EQ(texture.dimensions, 2u);
  EXPECT_EQ(texture.width, 6u);
  EXPECT_EQ(texture.height, 2u);
  EXPECT_EQ(texture.texel_bytes, 4u);
  EXPECT_EQ(texture.channels, 4u);
  EXPECT_EQ(texture.address_mode[0], static_cast<uint32_t>(cudaAddressModeClamp))
      << "coordinates are not normalized";
  EXPECT_EQ(texture.address_mode[1], static_cast<uint32_t>(cudaAddressModeBorder));
  EXPECT_EQ(texture.border_color[2], 0.5f);
  EXPECT_TRUE(find_allocation(handle)) << "device code may read the object";
  cudaTextureDesc back;
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&back, handle), cudaSuccess);
  EXPECT_EQ(back.addressMode[0], cudaAddressModeWrap);
  EXPECT_EQ(cudaDestroyTextureObject(handle), cudaSuccess);
  EXPECT_NE(texture.magic, CUSET_TEXTURE_MAGIC);
  EXPECT_EQ(cudaDestroyTextureObject(handle), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Texture, LinearAndPitchedMemoryMustBeTheDevices) {
  void* memory = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 40, 8), cudaSuccess);
  cudaTextureDesc sampling{};
  cudaTextureObject_t handle = 0;
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = memory;
  linear.res.linear.desc = kFloat;
  linear.res.linear.sizeInBytes = pitch * 8;
  EXPECT_EQ(cudaCreateTextureObject(&handle, &linear, &sampling, nullptr), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<CusetTexture*>(handle)->width, pitch * 2);
  cudaDestroyTextureObject(handle);
  linear.res.linear.sizeInBytes += 1;
  EXPECT_EQ(cudaCreateTextureObject(&handle, &linear, &sampling, nullptr), cudaErrorInvalidValue);

  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {memory, kFloat, 10, 8, pitch};
  EXPECT_EQ(cudaCreateTextureObject(&handle, &pitched, &sampling, nullptr), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<CusetTexture*>(handle)->row_pitch, pitch);
  cudaDestroyTextureObject(handle);
  pitched.res.pitch2D.height = 9;
  EXPECT_EQ(cudaCreateTextureObject(&handle, &pitched, &sampling, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&handle, nullptr, &sampling, nullptr), cudaErrorInvalidValue);
  cudaFree(memory);
  cudaGetLastError();
}

TEST(Texture, IntegersCannotBeInterpolated) {
  Array array(kBytes4, 4, 4);
  cudaResourceDesc resource{};
  resource.res.array.array = array.handle;
  cudaTextureDesc sampling{};
  sampling.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t handle = 0;
  EXPECT_EQ(cudaCreateTextureObject(&handle, &resource, &sampling, nullptr), cudaErrorInvalidFilterSetting);
}

TEST(Surface, NeedsAnArrayMadeForIt) {
  Array plain(kFloat, 4, 4);
  Array writable(kFloat, 4, 4, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource{};
  resource.res.array.array = plain.handle;
  cudaSurfaceObject_t handle = 0;
  EXPECT_EQ(cudaCreateSurfaceObject(&handle, &resource), cudaErrorInvalidValue);
  resource.res.array.array = writable.handle;
  EXPECT_EQ(cudaCreateSurfaceObject(&handle, &resource), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(handle), cudaSuccess);
}

}  // namespace
}  // namespace cuset_emulator
