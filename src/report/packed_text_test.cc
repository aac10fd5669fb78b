#include "report/packed_text.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace cuset::report {
namespace {

int digit_of(char c) {
  const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return static_cast<int>(digits.find(c));
}

// As a browser does it.
std::string unpacked(const std::string& packed, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < packed.size(); i += 4) {
    unsigned word = 0;
    size_t digits = 0;
    for (size_t k = 0; k < 4; ++k) {
      const bool is_digit = packed[i + k] != '=';
      word = word << 6 | static_cast<unsigned>(is_digit ? digit_of(packed[i + k]) : 0);
      digits += is_digit ? 1 : 0;
    }
    for (size_t k = 0; k + 1 < digits; ++k) bytes += static_cast<char>(word >> (16 - 8 * k) & 0xFF);
  }
  std::string text(size, '\0');
  uLongf length = size;
  const int status = uncompress(reinterpret_cast<Bytef*>(text.data()), &length,
                                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  EXPECT_EQ(status, Z_OK);
  EXPECT_EQ(length, size);
  return text;
}

TEST(PackedText, ComesBackWhole) {
  std::string text;
  for (int length = 0; length < 40; ++length) {
    EXPECT_EQ(unpacked(packed_text(text), text.size()), text) << length;
    text += static_cast<char>(length * 37);
  }
}

TEST(PackedText, HoldsNothingThatHtmlReads) {
  const std::string packed = packed_text("</script><!-- & \" \xff");
  EXPECT_EQ(packed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
            std::string::npos);
}

TEST(PackedText, ProgramsShrink) {
  std::string programs;
  for (int i = 0; i < 100; ++i) programs += "__global__ void kernel(const float* x, float* out, int n) {}\n";
  EXPECT_LT(packed_text(programs).size(), programs.size() / 10);
}

}  // namespace
}  // namespace cuset::report
