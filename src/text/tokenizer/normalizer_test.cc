#include "text/tokenizer/normalizer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "text/unicode/unicode_form.h"

namespace cuset::text {
namespace {

base::Json one(const char* type) { return {{"type", type}}; }

base::Json replace(const char* kind, const char* pattern, const char* content) {
  return {{"type", "Replace"}, {"pattern", {{kind, pattern}}}, {"content", content}};
}

// "text" and, for every character, the range of the original it stands for.
std::string dump(const base::Json& section, std::string_view text) {
  AlignedText aligned(text, 0);
  if (const auto normalizer = read_normalizer(base::JsonCursor(section, "test"))) normalizer->apply(aligned);
  std::string out(aligned.view());
  for (size_t i = 0; i < aligned.view().size(); i += decode_utf8(aligned.view(), i).size) {
    const TokenSpan span = aligned.source(i, i + 1);
    out += fmt::format(" {}-{}", span.begin, span.end);
  }
  return out;
}

TEST(Normalizer, ChangesTextAndKeepsPlaces) {
  struct Case {
    base::Json section;
    std::string_view text, expected;
  };
  const Case kCases[] = {
      {nullptr, "aé", "aé 0-1 1-3"},
      {one("NFC"), "xe\u0301y", "xéy 0-1 1-2 4-5"},
      {one("NFC"), "\u1112\u1161\u11AB", "한 0-3"},
      {one("NFC"), "e\u0323\u0302", "ệ 0-1"},
      {one("NFC"), "q\u0302\u0323", "q\u0323\u0302 0-1 1-3 3-5"},
      {one("NFC"), "\u0301a", "\u0301a 0-2 2-3"},
      {one("NFC"), "\u2126", "Ω 0-3"},
      {one("NFC"), "\u0958", "\u0915\u093C 0-3 0-3"},
      {one("NFD"), "é", "e\u0301 0-2 0-2"},
      {one("NFKC"), "ﬁ½", "fi1⁄2 0-3 0-3 3-5 3-5 3-5"},
      {one("NFKD"), "Å", "A\u030A 0-2 0-2"},
      {one("Lowercase"), "AÉİ", "aéi\u0307 0-1 1-3 3-5 3-5"},
      {{{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}}, " \u3000a b\n", "a b 4-5 5-6 6-7"},
      {{{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}}, " a ", " a 0-1 1-2"},
      {{{"type", "Prepend"}, {"prepend", "▁"}}, "éa", "▁éa 0-2 0-2 2-3"},
      {{{"type", "Prepend"}, {"prepend", "▁"}}, "", ""},
      {replace("String", " ", "▁"), "a b", "a▁b 0-1 1-2 2-3"},
      {replace("String", "ab", "x"), "abab", "xx 1-2 3-4"},
      {replace("Regex", "\\s+", " "), "a \t b", "a b 0-1 3-4 4-5"},
      {replace("String", "b", ""), "abc", "ac 0-1 2-3"},
      {{{"type", "Sequence"}, {"normalizers", base::Json::array({one("NFKC"), one("Lowercase")})}},
       "Ⅷ",
       "viii 0-3 0-3 0-3 0-3"},
      {{{"type", "Sequence"}, {"normalizers", base::Json::array()}}, "A", "A 0-1"},
  };
  for (const Case& c : kCases) EXPECT_EQ(dump(c.section, c.text), c.expected) << c.section;
}

TEST(Normalizer, RefusesOthersByName) {
  const std::pair<base::Json, std::string_view> kCases[] = {
      {one("BertNormalizer"), "test: field 'type' is \"BertNormalizer\", which is not supported"},
      {{{"type", "NFC"}, {"speed", 3}}, "test: field 'speed' is not supported"},
      {{{"type", "Sequence"}, {"normalizers", {one("NFC"), one("Nmt")}}},
       "test: field 'normalizers[1].type' is \"Nmt\", which is not supported"},
      {{{"type", "Prepend"}}, "test: field 'prepend' is missing"},
      {replace("String", "", "x"), "test: field 'pattern.String' must not be empty"},
      {3, "test: the top level must be an object, found the number 3"},
  };
  for (const auto& [section, message] : kCases) {
    try {
      read_normalizer(base::JsonCursor(section, "test"));
      ADD_FAILURE() << section << " was accepted";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
}

TEST(UnicodeForm, TextThatIsNfcAlreadyIsNotCopied) {
  const std::string_view text = "Grüße, 漢字 한국어 — 😀";
  AlignedText aligned(text, 0);
  normalize_unicode(aligned, UnicodeForm::Nfc);
  EXPECT_EQ(aligned.view().data(), text.data());
}

}  // namespace
}  // namespace cuset::text
