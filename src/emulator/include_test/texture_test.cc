// Textures and surfaces of the emulator's headers: filtering, address modes and read modes worked out by
// hand.
#define CUSET_TEXTURE_TEST

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "cuset_emulator/surfaces.h"
#include "cuset_emulator/textures.h"
#include "cuset_emulator/vector_functions.h"

// Device code's __trap(), which the runtime serves in programs.
extern "C" void cuset_trap(void) { throw std::runtime_error("trap"); }

namespace {

// A texture of floats 0, 1, 2, ... in rows.
class FloatTexture {
 public:
  FloatTexture(unsigned width, unsigned height) : texels_(width * (height == 0 ? 1 : height)) {
    for (size_t i = 0; i < texels_.size(); ++i) texels_[i] = static_cast<float>(i);
    texture_.magic = CUSET_TEXTURE_MAGIC;
    texture_.dimensions = height == 0 ? 1 : 2;
    texture_.data = reinterpret_cast<char*>(texels_.data());
    texture_.width = width;
    texture_.height = height;
    texture_.row_pitch = width * sizeof(float);
    texture_.texel_bytes = sizeof(float);
    texture_.channels = 1;
    texture_.channel_bits = 32;
    texture_.channel_kind = cudaChannelFormatKindFloat;
  }

  FloatTexture& address(unsigned mode) {
    for (uint32_t& each : texture_.address_mode) each = mode;
    return *this;
  }
  FloatTexture& linear() {
    texture_.filter_mode = cudaFilterModeLinear;
    return *this;
  }
  FloatTexture& normalized() {
    texture_.normalized_coordinates = 1;
    return *this;
  }
  cudaTextureObject_t object() const { return reinterpret_cast<cudaTextureObject_t>(&texture_); }
  CusetTexture& description() { return texture_; }
  float texel(size_t index) const { return texels_[index]; }

 private:
  std::vector<float> texels_;
  CusetTexture texture_ = {};
};

TEST(Texture, PointsTakeTheTexelBelow) {
  FloatTexture texture(4, 3);
  texture.address(cudaAddressModeClamp);
  EXPECT_EQ(tex2D<float>(texture.object(), 1.99f, 2.0f), 9.0f);
  EXPECT_EQ(tex2D<float>(texture.object(), 3.0f, 0.5f), 3.0f);
  EXPECT_EQ(tex2D<float>(texture.object(), -5.0f, 100.0f), 8.0f);
}

TEST(Texture, LinearWeightsAreCountedFromTexelCenters) {
  FloatTexture texture(4, 3);
  texture.address(cudaAddressModeClamp).linear();
  EXPECT_EQ(tex2D<float>(texture.object(), 1.5f, 1.5f), 5.0f);
  EXPECT_EQ(tex2D<float>(texture.object(), 2.0f, 1.5f), 5.5f);
  EXPECT_EQ(tex2D<float>(texture.object(), 2.0f, 2.0f), 7.5f);
  EXPECT_EQ(tex2D<float>(texture.object(), 0.0f, 0.0f), 0.0f);
  EXPECT_EQ(tex2D<float>(texture.object(), 4.0f, 3.0f), 11.0f);
}

TEST(Texture, LinearWeightsHaveEightBits) {
  FloatTexture texture(4, 0);
  texture.address(cudaAddressModeClamp).linear();
  EXPECT_EQ(tex1D<float>(texture.object(), 0.5f + 0.3f), 77.0f / 256.0f);
  EXPECT_EQ(tex1D<float>(texture.object(), 0.5f + 0.001f), 0.0f);
}

TEST(Texture, NormalizedCoordinatesWrapAndMirror) {
  FloatTexture texture(4, 0);
  texture.normalized().address(cudaAddressModeWrap);
  EXPECT_EQ(tex1D<float>(texture.object(), 1.25f), 1.0f);
  EXPECT_EQ(tex1D<float>(texture.object(), -0.1f), 3.0f);
  texture.address(cudaAddressModeMirror);
  EXPECT_EQ(tex1D<float>(texture.object(), 1.1f), 3.0f);
  EXPECT_EQ(tex1D<float>(texture.object(), -0.3f), 1.0f);
  texture.linear().address(cudaAddressModeWrap);
  EXPECT_EQ(tex1D<float>(texture.object(), 0.0f), 1.5f);
}

TEST(Texture, BorderHasItsColor) {
  FloatTexture texture(4, 3);
  texture.address(cudaAddressModeBorder);
  texture.description().border_color[0] = 42.0f;
  EXPECT_EQ(tex2D<float>(texture.object(), 4.0f, 1.0f), 42.0f);
  EXPECT_EQ(tex2D<float>(texture.object(), 1.0f, -0.5f), 42.0f);
  EXPECT_EQ(tex2D<float>(texture.object(), 3.9f, 1.0f), 7.0f);
}

TEST(Texture, BorderColorOfIntegersEndsAtTheirRange) {
  std::vector<unsigned char> bytes{1, 2, 3, 4};
  CusetTexture texture = {};
  texture.magic = CUSET_TEXTURE_MAGIC;
  texture.data = reinterpret_cast<char*>(bytes.data());
  texture.width = 1;
  texture.texel_bytes = 4;
  texture.channels = 4;
  texture.channel_bits = 8;
  texture.channel_kind = cudaChannelFormatKindUnsigned;
  const float colors[] = {300.0f, -5.0f, 42.9f, std::nanf("")};
  std::copy(std::begin(colors), std::end(colors), texture.border_color);
  const uchar4 border = tex1Dfetch<uchar4>(reinterpret_cast<cudaTextureObject_t>(&texture), 1);
  EXPECT_EQ(border.x, 255);
  EXPECT_EQ(border.y, 0);
  EXPECT_EQ(border.z, 42);
  EXPECT_EQ(border.w, 0);
}

TEST(Texture, WrapNeedsNormalizedCoordinates) {
  FloatTexture texture(4, 0);
  texture.address(cudaAddressModeWrap);
  EXPECT_EQ(tex1D<float>(texture.object(), 5.0f), 3.0f);
}

TEST(Texture, BytesReadAsShares) {
  std::vector<unsigned char> bytes{0, 51, 128, 255, 1, 2, 3, 4};
  CusetTexture texture = {};
  texture.magic = CUSET_TEXTURE_MAGIC;
  texture.data = reinterpret_cast<char*>(bytes.data());
  texture.width = 2;
  texture.texel_bytes = 4;
  texture.channels = 4;
  texture.channel_bits = 8;
  texture.channel_kind = cudaChannelFormatKindUnsigned;
  const auto object = reinterpret_cast<cudaTextureObject_t>(&texture);
  const uchar4 raw = tex1Dfetch<uchar4>(object, 1);
  EXPECT_EQ(raw.w, 4);
  texture.read_mode = cudaReadModeNormalizedFloat;
  const float4 shares = tex1Dfetch<float4>(object, 0);
  EXPECT_EQ(shares.y, 51.0f / 255.0f);
  EXPECT_EQ(shares.w, 1.0f);
  texture.channel_kind = cudaChannelFormatKindSigned;
  EXPECT_EQ(tex1Dfetch<float4>(object, 0).z, -1.0f);  // -128 counts as -127
  EXPECT_EQ(tex1Dfetch<float4>(object, 2).x, 0.0f);
}

TEST(Texture, GatherTakesFourNeighbors) {
  FloatTexture texture(4, 3);
  texture.address(cudaAddressModeClamp);
  const float4 neighbors = tex2Dgather<float4>(texture.object(), 2.0f, 1.0f);
  EXPECT_EQ(neighbors.x, 5.0f);
  EXPECT_EQ(neighbors.y, 6.0f);
  EXPECT_EQ(neighbors.z, 2.0f);
  EXPECT_EQ(neighbors.w, 1.0f);
}

TEST(Texture, DestroyedObjectTraps) {
  FloatTexture texture(4, 3);
  texture.description().magic = 0;
  EXPECT_THROW(tex2D<float>(texture.object(), 0.0f, 0.0f), std::runtime_error);
}

TEST(Surface, CountsBytesAlongX) {
  FloatTexture texture(4, 3);
  const cudaSurfaceObject_t surface = texture.object();
  EXPECT_EQ(surf2Dread<float>(surface, 2 * 4, 1), 6.0f);
  surf2Dwrite(-1.0f, surface, 3 * 4, 2);
  EXPECT_EQ(texture.texel(11), -1.0f);
}

TEST(Surface, BoundaryModes) {
  FloatTexture texture(4, 3);
  const cudaSurfaceObject_t surface = texture.object();
  EXPECT_EQ(surf2Dread<float>(surface, 16, 0, cudaBoundaryModeZero), 0.0f);
  EXPECT_EQ(surf2Dread<float>(surface, 16, 1, cudaBoundaryModeClamp), 7.0f);
  EXPECT_THROW(surf2Dread<float>(surface, 16, 0), std::runtime_error);
  surf2Dwrite(5.0f, surface, -4, 0, cudaBoundaryModeZero);
  EXPECT_EQ(texture.texel(0), 0.0f);
}

}  // namespace
