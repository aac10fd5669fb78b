#include "text/unicode/regex.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::text {
namespace {

constexpr std::string_view kQwen =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
    "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

std::string matches(std::string_view pattern, std::string_view text) {
  std::string out;
  Regex(pattern, "test").for_each(text, [&](size_t begin, size_t end) {
    out += fmt::format("{}<{}>", out.empty() ? "" : " ", text.substr(begin, end - begin));
  });
  return out;
}

TEST(Regex, SplitsAsTokenizerPatternsExpect) {
  struct Case {
    std::string_view pattern, text, expected;
  };
  const Case kCases[] = {
      {kQwen, "I'LL x = 12;\n\n  y", "<I> <'LL> < x> < => < > <1> <2> <;\n\n> < > < y>"},
      {"\\p{N}{1,3}", "12345", "<123> <45>"},
      {"\\s+", "a \t\u00A0\u3000b", "< \t\u00A0\u3000>"},
      {"\\S+", "a b\u2003c", "<a> <b> <c>"},
      {"[^\\S\\n]+", "a \t\nb", "< \t>"},
      {"\\w+", "é_1² ½x-②", "<é_1²> <½x>"},
      {"\\bi\\b", "i in (i)", "<i> <i>"},
      {"(?=\\d)", "a1b2", "<> <>"},
      {"x*", "axxb", "<> <xx> <>"},
      {"^a|b$", "a\nab\nb", "<a> <a> <b> <b>"},
      {"\\u0041\\x42\\x{43}", "ABC", "<ABC>"},
      {"a++b?+", "aab", "<aab>"},
      {"(?i)straße", "STRAßE", "<STRAßE>"},
      {"[一-龥]+", "a漢字b", "<漢字>"},
      {"[\\]\\[\\-\\\\]", "[-]", "<[> <-> <]>"},
  };
  for (const Case& c : kCases) EXPECT_EQ(matches(c.pattern, c.text), c.expected) << c.pattern;
}

TEST(Regex, MongolianVowelSeparatorIsNoSpace) {
  EXPECT_EQ(matches("\\s", "\u180E"), "");
  EXPECT_EQ(matches("\\S", "\u180E"), "<\u180E>");
}

TEST(Regex, KnowsLettersNewerThanTheLibrary) {
  EXPECT_EQ(matches("\\p{L}+", "\U00031350"), "<\U00031350>");
  EXPECT_EQ(matches("[^\\p{L}]+", "\U00031350"), "");
}

TEST(Regex, RefusesWhatItCannotTranslateAndNamesIt) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"[a-z&&[aeiou]]", "`&&`"},   {"[[:alpha:]]", "a class inside a class"},
      {"\\p{Han}", "the property"}, {"\\p{N}{1,3}+", "`}+`"},
      {"(?<name>a)", "the group"},  {"(a)\\1", "`\\1`"},
      {"(?m:a.b)", "the group"},    {"\\h", "`\\h`"},
      {"[\\W]", "a negated class"}, {"[abc", "a class that is not closed"},
      {"a\\", "a lone `\\`"},       {"\\x{D800}", "outside Unicode"},
      {"(*COMMIT)a", "the group"},  {"a**", "not a valid"},
      {"(", "not a valid"},
  };
  for (const auto& [pattern, word] : kCases) {
    try {
      Regex(pattern, "file: path");
      if (pattern != "a**") ADD_FAILURE() << pattern << " was accepted";
    } catch (const base::Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("file: path: "), 0u) << error.what();
    }
  }
}

TEST(Regex, EndlessBacktrackingIsAnError) {
  EXPECT_THROW(matches("(a|a)*[bc]", std::string(64, 'a')), base::Error);
}

TEST(Regex, LongRunsAreFineForTokenizerPatterns) {
  for (const char* unit : {" ", "\n", "a", "=", "9", "\u3000", "漢"}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += unit;
    size_t covered = 0;
    Regex(kQwen, "test").for_each(text, [&](size_t begin, size_t end) { covered += end - begin; });
    EXPECT_EQ(covered, text.size());
  }
}

}  // namespace
}  // namespace cuset::text
