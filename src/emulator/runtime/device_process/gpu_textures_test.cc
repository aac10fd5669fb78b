#include "runtime/device_process/gpu_textures.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/remote/channel.h"

namespace cuset_emulator {
namespace {

// 5 x 3 x 2 texels of two floats, in rows of 64 bytes.
constexpr RemoteArray kArray{.address = 0x10000,
                             .row_pitch = 64,
                             .slice_pitch = 192,
                             .width = 5,
                             .height = 3,
                             .depth = 2,
                             .channels = 2,
                             .channel_bits = 32,
                             .channel_kind = 2};

TEST(PlaceInArray, IsReadFromAnAddress) {
  const auto place = [](uint64_t offset, const Box& box) {
    const TexelPlace found = place_in_array(kArray, {kArray.address + offset, 64, 192}, box);
    return std::vector<uint64_t>{found.x, found.y, found.z};
  };
  EXPECT_EQ(place(0, {40, 3, 2}), (std::vector<uint64_t>{0, 0, 0}));
  EXPECT_EQ(place(192 + 64 + 8, {32, 2, 1}), (std::vector<uint64_t>{8, 1, 1}));
  EXPECT_EQ(place(2 * 64 + 39, {1, 1, 2}), (std::vector<uint64_t>{39, 2, 0}));
}

TEST(PlaceInArray, RefusesWhatLeavesTheArrayOrHasOtherRows) {
  const auto refused = [](const Surface& surface, const Box& box) {
    EXPECT_THROW(place_in_array(kArray, surface, box), ChannelBroken) << surface.address;
  };
  refused({kArray.address, 64, 192}, {41});
  refused({kArray.address + 1, 64, 192}, {40});
  refused({kArray.address + 40, 64, 192}, {1});  // behind the last texel of a row
  refused({kArray.address + 64, 64, 192}, {8, 3});
  refused({kArray.address + 192, 64, 192}, {8, 1, 2});
  refused({kArray.address, 40, 120}, {40, 3});
  refused({kArray.address, 64, 120}, {40, 3, 2});
  refused({kArray.address - 64, 64, 192}, {8});
}

TEST(ObjectHandles, StandForTheDriversOwn) {
  ObjectHandles handles;
  const uint64_t first = handles.add(1), second = handles.add(2);
  EXPECT_NE(first, second);
  uint64_t words[] = {1, second, 0, first, first + 1, 2};
  handles.translate({reinterpret_cast<char*>(words), sizeof words});
  EXPECT_EQ(std::vector<uint64_t>(words, words + 6), (std::vector<uint64_t>{1, 2, 0, 1, first + 1, 2}));
  handles.remove(first);
  EXPECT_FALSE(handles.find(first));
  uint64_t gone = first;
  handles.translate({reinterpret_cast<char*>(&gone), sizeof gone});
  EXPECT_EQ(gone, first);
}

// A replay gets the same handles for the same requests, whatever the driver gives.
TEST(ObjectHandles, AreTheSameInEveryRun) {
  ObjectHandles handles;
  const uint64_t first = handles.add(17);
  handles.add(18);
  handles.clear();
  EXPECT_EQ(handles.add(3), first);
  EXPECT_EQ(handles.find(first), 3u);
}

TEST(ObjectHandles, BytesWithoutAnyStayWhereTheyAre) {
  ObjectHandles handles;
  std::vector<char> changed;
  const std::vector<char> bytes(12, 'x');
  EXPECT_EQ(handles.translated(bytes, changed).data(), bytes.data());
  const uint64_t seen = handles.add(5);
  std::vector<char> words(20);
  std::memcpy(words.data() + 8, &seen, 8);
  const std::span<const char> other = handles.translated(words, changed);
  ASSERT_EQ(other.size(), words.size());
  uint64_t real = 0;
  std::memcpy(&real, other.data() + 8, 8);
  EXPECT_EQ(real, 5u);
}

}  // namespace
}  // namespace cuset_emulator
