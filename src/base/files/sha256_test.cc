#include "base/files/sha256.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

// The examples that NIST publishes with FIPS 180-4, and two of its byte-oriented test vectors (CAVP).
TEST(Sha256, AgreesWithTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
  EXPECT_EQ(sha256("\xc9\x8c\x8e\x55"), "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
  const std::string text(300, 'x');
  for (size_t length = 0; length <= text.size(); ++length) {
    Sha256 pieces;
    for (size_t at = 0; at < length; at += 7) {
      pieces.update(std::string_view(text).substr(at, std::min<size_t>(7, length - at)));
      pieces.digest();  // asking in between changes nothing
    }
    ASSERT_EQ(pieces.digest(), sha256(std::string_view(text).substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace cuset::base
