#include "runtime/device_process/gpu_textures.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cuset_emulator {
namespace {

TEST(TextureHandles, StandForTheDriversOwn) {
  TextureHandles handles;
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
TEST(TextureHandles, AreTheSameInEveryRun) {
  TextureHandles handles;
  const uint64_t first = handles.add(17);
  handles.add(18);
  handles.clear();
  EXPECT_EQ(handles.add(3), first);
  EXPECT_EQ(handles.find(first), 3u);
}

TEST(TextureHandles, BytesWithoutAnyStayWhereTheyAre) {
  TextureHandles handles;
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
