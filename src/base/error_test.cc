#include "base/error.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

TEST(Error, OneLineJoinsMessageAndRemedy) {
  const Error error = Error("cannot open {}:\nno", "a.json").with_remedy("check {}", "--model");
  EXPECT_EQ(error.one_line(), "cannot open a.json: no (check --model)");
}

TEST(Error, RemedyKeepsTheKindOfError) {
  EXPECT_THROW(throw UsageError("no such flag").with_remedy("see --help"), UsageError);
}

TEST(Error, CheckNamesPlaceConditionAndValues) {
  const int rows = -1;
  try {
    CUSET_CHECK(rows > 0, "rows = {}", rows);
    FAIL() << "the check passed";
  } catch (const CheckFailure& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("error_test.cc:"), std::string::npos) << text;
    EXPECT_NE(text.find("rows > 0 does not hold: rows = -1"), std::string::npos) << text;
  }
}

TEST(Error, QuotesEscapeAndCut) {
  EXPECT_EQ(in_quotes("ab\\c\n\x01\xff"), R"("ab\c\n\x01\xff")");
  EXPECT_EQ(in_quotes("abcdef", 3), R"("abc"...)");
}

TEST(Error, QuotesLeaveQuotesInTheTextAlone) {
  EXPECT_EQ(in_quotes(R"({"a": "\ud800"})"), R"('{"a": "\ud800"}')");
  EXPECT_EQ(in_quotes("don't"), R"("don't")");
  EXPECT_EQ(in_quotes(R"('a' or "b")"), R"("'a' or \"b\"")");
}

}  // namespace
}  // namespace cuset::base
