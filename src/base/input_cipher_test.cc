#include "base/input_cipher.h"

#include <gtest/gtest.h>

#include <string>

namespace cuset::base {
namespace {

std::string combined(std::string bytes, const InputKey& key, const std::string& path) {
  combine_with_key(bytes.data(), bytes.size(), key, number_of_input(path));
  return bytes;
}

TEST(InputCipher, ShowsWhatItHid) {
  const InputKey key = random_input_key();
  for (const size_t size : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{1000}}) {
    const std::string bytes(size, 'x');
    const std::string hidden = combined(bytes, key, "/inputs/a/in_0_0.bin");
    EXPECT_EQ(combined(hidden, key, "/elsewhere/a/in_0_0.bin"), bytes) << "by its name and its folder's";
    if (size < 8) continue;
    EXPECT_NE(hidden, bytes);
    EXPECT_NE(hidden, combined(bytes, random_input_key(), "/inputs/a/in_0_0.bin"));
    EXPECT_NE(hidden, combined(bytes, key, "/inputs/a/in_0_1.bin"));
    EXPECT_NE(hidden, combined(bytes, key, "/inputs/b/in_0_0.bin"));
  }
}

TEST(InputCipher, RepeatsNoWord) {
  const std::string hidden = combined(std::string(64, 0), random_input_key(), "a/b");
  for (size_t i = 8; i < hidden.size(); i += 8) EXPECT_NE(hidden.substr(i, 8), hidden.substr(i - 8, 8));
}

}  // namespace
}  // namespace cuset::base
