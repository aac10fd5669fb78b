#include "base/line_seal.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

constexpr InputKey kKey{1, 2, 3};

bool is_sealed(std::string_view line, uint32_t number, const InputKey& key = kKey) {
  return take_seal(line, number, key);
}

TEST(LineSeal, ComesOffAgain) {
  for (const std::string text : {"", "a", "sixteen letters!", "K 12 15 0 4,1,1 relu"}) {
    const std::string sealed = seal_of(text, 7, kKey) + text;
    std::string_view line = sealed;
    ASSERT_TRUE(take_seal(line, 7, kKey)) << text;
    EXPECT_EQ(line, text);
  }
}

TEST(LineSeal, AnotherLineNumberOrKeyDoesNotFit) {
  const std::string sealed = seal_of("K relu", 7, kKey) + "K relu";
  EXPECT_TRUE(is_sealed(sealed, 7));
  EXPECT_FALSE(is_sealed(sealed, 8));
  EXPECT_FALSE(is_sealed(sealed, 7, {1, 2, 4}));
  EXPECT_FALSE(is_sealed(seal_of("K relu", 7, kKey) + "K copy", 7));
  EXPECT_FALSE(is_sealed(seal_of("K relu", 7, kKey) + std::string("K relu\0", 7), 7));
  EXPECT_FALSE(is_sealed("K relu", 7));
}

}  // namespace
}  // namespace cuset::base
