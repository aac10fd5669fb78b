#include "text/tokenizer/pre_tokenizer.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::text {
namespace {

base::Json split(const char* kind, const char* pattern, const char* behavior, bool invert = false) {
  return {{"type", "Split"}, {"pattern", {{kind, pattern}}}, {"behavior", behavior}, {"invert", invert}};
}

base::Json sequence(base::Json steps) { return {{"type", "Sequence"}, {"pretokenizers", std::move(steps)}}; }

base::Json byte_level(bool prefix, bool regex) {
  return {{"type", "ByteLevel"}, {"add_prefix_space", prefix}, {"trim_offsets", true}, {"use_regex", regex}};
}

std::string pieces(const base::Json& section, std::string_view text) {
  const PreTokenizers stages = read_pre_tokenizers(base::JsonCursor(section, "test"));
  const AlignedText aligned(text, 0);
  PieceList list;
  list.pieces.push_back({&aligned, 0, static_cast<uint32_t>(text.size())});
  stages.split(list);
  std::string out;
  for (const Piece& piece : list.pieces) out += fmt::format("{}{}", out.empty() ? "" : "|", piece.view());
  return out;
}

TEST(PreTokenizer, CutsText) {
  struct Case {
    base::Json section;
    std::string_view text, expected;
  };
  const Case kCases[] = {
      {nullptr, "a b", "a b"},
      {split("String", "-", "Removed"), "the-final--countdown", "the|final|countdown"},
      {split("String", "-", "Isolated"), "the-final--countdown", "the|-|final|-|-|countdown"},
      {split("String", "-", "MergedWithPrevious"), "the-final--countdown", "the-|final-|-|countdown"},
      {split("String", "-", "MergedWithNext"), "the-final--countdown", "the|-final|-|-countdown"},
      {split("String", "-", "Contiguous"), "the-final--countdown", "the|-|final|--|countdown"},
      {split("String", ".", "Isolated"), "a.b", "a|.|b"},
      {split("Regex", "\\w+", "Removed", true), "how are, you", "how|are|you"},
      {split("Regex", "\\w+", "Isolated", true), "how are", "how| |are"},
      {split("Regex", "(?=[A-Z])", "Isolated"), "aBcD", "a|Bc|D"},
      {{{"type", "Digits"}, {"individual_digits", true}}, "a12½", "a|1|2|½"},
      {{{"type", "Digits"}, {"individual_digits", false}}, "a12b", "a|12|b"},
      {{{"type", "Whitespace"}}, "x+=3; é!", "x|+=|3|;|é|!"},
      {{{"type", "WhitespaceSplit"}}, " a  b\u3000c ", "a|b|c"},
      {{{"type", "Punctuation"}}, "a,b«c", "a|,|b|«|c"},
      {{{"type", "Punctuation"}, {"behavior", "Contiguous"}}, "a;;b", "a|;;|b"},
      {byte_level(false, true), "I'm 12  x", "I|'m| 12| | x"},
      {byte_level(true, true), "a b", " a| b"},
      {byte_level(true, false), " a", " a"},
      {sequence({split("Regex", "[\\r\\n]", "Isolated"),
                 split("Regex", "\\s?\\p{L}+", "Isolated"),
                 split("Regex", "\\s?\\p{P}+", "Isolated"),
                 {{"type", "Digits"}, {"individual_digits", true}},
                 byte_level(false, false)}),
       "for i1 = 12;\n", "for| i|1| = |1|2|;|\n"},
  };
  for (const Case& c : kCases) EXPECT_EQ(pieces(c.section, c.text), c.expected) << c.section;
}

TEST(PreTokenizer, RefusesOthersByName) {
  const std::pair<base::Json, std::string_view> kCases[] = {
      {{{"type", "Metaspace"}}, "test: field 'type' is \"Metaspace\", which is not supported"},
      {split("String", "-", "Sideways"), "test: field 'behavior' is \"Sideways\", which is not supported"},
      {split("Glob", "-", "Removed"), "test: field 'pattern.Glob' is not supported"},
      {sequence({byte_level(false, false), {{"type", "Whitespace"}}}),
       "test: field 'pretokenizers[1]' is \"Whitespace\" after ByteLevel, which is not supported"},
      {{{"type", "Digits"}, {"individual_digits", "yes"}},
       "test: field 'individual_digits' must be true or false, found the string \"yes\""},
  };
  for (const auto& [section, message] : kCases) {
    try {
      read_pre_tokenizers(base::JsonCursor(section, "test"));
      ADD_FAILURE() << section << " was accepted";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
}

}  // namespace
}  // namespace cuset::text
