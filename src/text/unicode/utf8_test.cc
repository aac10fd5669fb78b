#include "text/unicode/utf8.h"

#include <gtest/gtest.h>

#include "text/tokenizer/byte_alphabet.h"

namespace cuset::text {
namespace {

TEST(Utf8, EveryScalarValueSurvivesWritingAndReading) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    ASSERT_EQ(find_invalid_utf8(text), std::string::npos) << uint32_t(code);
    ASSERT_EQ(decode_utf8(text, 0).code, code);
    ASSERT_EQ(decode_utf8(text, 0).size, text.size());
  }
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  const std::pair<std::string_view, size_t> kCases[] = {
      {"plain ascii, long enough\x80", 24},
      {"\xC0\x80", 0},
      {"a\xED\xA0\x80", 1},
      {"\xF4\x90\x80\x80", 0},
      {"é\xC3", 2},
      {"\xE2\x82", 0},
      {"\xFF", 0},
      {"€\xE2\x28\xA1", 3},
      {"\xF0\x8F\xBF\xBF", 0},
      {"\xF5\x80\x80\x80", 0},
  };
  for (const auto& [text, position] : kCases) EXPECT_EQ(find_invalid_utf8(text), position) << text;
}

TEST(Utf8, ReplacesMaximalFaultySubparts) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"a\xF0\x9F\x98"
       "b",
       "a\uFFFDb"},
      {"\xE2\x82", "\uFFFD"},
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xC0\xAF", "\uFFFD\uFFFD"},
      {"ok é", "ok é"},
  };
  for (const auto& [text, expected] : kCases) EXPECT_EQ(replace_invalid_utf8(text), expected);
}

TEST(Utf8, HoldsBackOnlyTheBeginningOfACharacter) {
  std::string pending = "a\xF0\x9F\x98";
  std::string out;
  move_complete_utf8(pending, out);
  EXPECT_EQ(out, "a");
  EXPECT_EQ(pending, "\xF0\x9F\x98");
  pending += "\x80";
  move_complete_utf8(pending, out);
  EXPECT_EQ(out, "a😀");
  EXPECT_EQ(pending, "");
}

TEST(ByteAlphabet, SpellsEveryByteAndReadsItBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  EXPECT_EQ(from_byte_alphabet(to_byte_alphabet(bytes)), bytes);
  EXPECT_EQ(to_byte_alphabet(" the\n"), "ĠtheĊ");
  EXPECT_EQ(to_byte_alphabet("é"), "Ã©");
  EXPECT_EQ(from_byte_alphabet("日"), std::nullopt);
}

}  // namespace
}  // namespace cuset::text
