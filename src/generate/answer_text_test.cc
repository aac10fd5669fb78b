#include "generate/answer_text.h"

#include <gtest/gtest.h>

#include "support/tiny_tokenizer.h"

namespace cuset::generate {
namespace {

// Bytes, the merge "``", and the control token <end>.
text::Tokenizer tiny_tokenizer() {
  base::Json document = support::tiny_document({{"`", "`"}, {"``", "`"}});
  support::add_token(document, "<end>", {"special"});
  return support::tokenizer_from(document);
}

// What is certain after every token, joined by "|", then the whole text; "!" where a stop string ended it.
std::string told(const std::vector<std::string>& stops, const std::vector<uint32_t>& ids) {
  const text::Tokenizer tokenizer = tiny_tokenizer();
  AnswerText text(tokenizer, stops);
  std::string pieces;
  bool is_stopped = false;
  for (size_t i = 0; i < ids.size() && !is_stopped; ++i) {
    is_stopped = text.push(ids[i]);
    pieces += std::string(text.take_certain()) + "|";
  }
  if (!is_stopped) is_stopped = text.finish();
  pieces += text.take_certain();
  return pieces + " = " + text.text() + (is_stopped ? "!" : "");
}

std::vector<uint32_t> bytes_of(std::string_view text) {
  std::vector<uint32_t> ids;
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

TEST(AnswerText, WithoutStopStringsEverythingIsCertainAtOnce) {
  EXPECT_EQ(told({}, bytes_of("abc")), "a|b|c| = abc");
  EXPECT_EQ(told({}, {}), " = ");
}

TEST(AnswerText, StopStringAcrossTokensIsNeverShown) {
  EXPECT_EQ(told({"END"}, bytes_of("aENb")), "a|||ENb| = aENb");
  EXPECT_EQ(told({"END"}, bytes_of("aENDb")), "a|||| = a!");
  EXPECT_EQ(told({"END"}, bytes_of("aEN")), "a|||EN = aEN");
  EXPECT_EQ(told({"EEN"}, bytes_of("EEEN")), "||E|| = E!") << "a false start before the right one";
}

TEST(AnswerText, TheStopStringThatBeginsFirstCuts) {
  EXPECT_EQ(told({"cd", "bcd"}, bytes_of("abcd")), "a|||| = a!");
  EXPECT_EQ(told({"\n\n", "x"}, bytes_of("a\nx")), "a||\n| = a\n!");
}

TEST(AnswerText, StopStringInsideAToken) {
  const text::Tokenizer tokenizer = tiny_tokenizer();
  const uint32_t fence = *tokenizer.token_to_id("```");
  EXPECT_EQ(told({"``"}, {'a', fence}), "a|| = a!");
  EXPECT_EQ(told({"`b"}, {fence, 'b'}), "``|| = ``!") << "the token's own beginning stays";
}

TEST(AnswerText, CharactersComeWhole) {
  EXPECT_EQ(told({}, bytes_of("\xC3\xA4")), "|\xC3\xA4| = \xC3\xA4");
  EXPECT_EQ(told({"\xC3\xA4"}, bytes_of("a\xC3\xA4")), "a||| = a!");
  EXPECT_EQ(told({}, {'a', 0xC3}), "a||\xEF\xBF\xBD = a\xEF\xBF\xBD") << "half a character at the end";
}

TEST(AnswerText, ControlTokensAreNoText) {
  const text::Tokenizer tokenizer = tiny_tokenizer();
  EXPECT_EQ(told({}, {'a', *tokenizer.token_to_id("<end>"), 'b'}), "a||b| = ab");
}

}  // namespace
}  // namespace cuset::generate
