#include "base/files/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace cuset::base {
namespace {

// RFC 3720, B.4, and the usual check value.
TEST(Crc32c, PublishedValues) {
  std::string rising, falling;
  for (char i = 0; i < 32; ++i) {
    rising += i;
    falling += static_cast<char>(31 - i);
  }
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43u);
  EXPECT_EQ(crc32c(rising), 0x46DD794Eu);
  EXPECT_EQ(crc32c(falling), 0x113FDB5Cu);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(""), 0u);
}

TEST(Crc32c, PiecesGiveTheWhole) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(i * 37);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view view = text;
    EXPECT_EQ(crc32c(view.substr(cut), crc32c(view.substr(0, cut))), crc32c(text)) << cut;
  }
}

TEST(Crc32c, TablesAgreeWithTheInstruction) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    EXPECT_EQ(crc32c_by_tables(bytes, 7), crc32c(bytes, 7)) << i;
    text += static_cast<char>(i * i * 31 + i);
  }
  EXPECT_EQ(crc32c_by_tables(std::as_bytes(std::span("123456789", 9))), 0xE3069283u);
}

}  // namespace
}  // namespace cuset::base
