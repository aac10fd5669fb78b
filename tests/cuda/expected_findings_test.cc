#include "cuda/expected_findings.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::tests {
namespace {

execute::RunFinding finding(std::string kind, uint32_t line, std::string text = "") {
  execute::RunFinding result;
  result.kind = std::move(kind);
  result.file = "/sandbox/a.cu";
  result.line = line;
  result.text = std::move(text);
  return result;
}

std::string differences(std::string_view source, const std::vector<execute::RunFinding>& findings) {
  return finding_differences(read_finding_marks(source, "a.cu"), findings, "folder/a.cu");
}

TEST(ExpectedFindings, MarkIsMetOnItsLineOnly) {
  const std::string_view source = "int a;\nx[i] = 1;  // finds: out_of_bounds\n";
  EXPECT_EQ(differences(source, {finding("out_of_bounds", 2)}), "");
  EXPECT_NE(differences(source, {finding("out_of_bounds", 1)}), "");
  EXPECT_NE(differences(source, {finding("misaligned", 2)}), "");
  EXPECT_EQ(differences(source, {}), "  missing: out_of_bounds at line 2\n");
}

TEST(ExpectedFindings, EitherOfTwoLinesWillDo) {
  const std::string_view source =
      "x = 1;  // finds: shared_race\ny = x;  // or: shared_race; may: uninitialised_read";
  EXPECT_EQ(differences(source, {finding("shared_race", 1)}), "");
  EXPECT_EQ(differences(source, {finding("shared_race", 2)}), "");
  EXPECT_EQ(differences(source, {finding("shared_race", 2), finding("uninitialised_read", 2)}), "");
  EXPECT_EQ(differences(source, {finding("uninitialised_read", 2)}),
            "  missing: shared_race at line 1 or 2\n");
}

TEST(ExpectedFindings, TextMustBeContained) {
  const std::string_view source = "*p = 1;  // finds: out_of_bounds \"null\"\n";
  EXPECT_EQ(differences(source, {finding("out_of_bounds", 1, "a null pointer")}), "");
  EXPECT_NE(differences(source, {finding("out_of_bounds", 1, "4 bytes behind")}), "");
}

TEST(ExpectedFindings, NothingElseMayBeFound) {
  const std::string_view clean = "// a finding: none\nint a;  // or else\n";
  EXPECT_EQ(differences(clean, {}), "");
  EXPECT_EQ(differences(clean, {finding("note", 1)}), "");
  EXPECT_NE(differences(clean, {finding("shared_race", 2)}), "");
  execute::RunFinding elsewhere = finding("shared_race", 1);
  elsewhere.file = "b.cu";
  EXPECT_NE(differences("x = 1;  // may: shared_race", {elsewhere}), "");
}

TEST(ExpectedFindings, MalformedMarkIsRefused) {
  EXPECT_THROW(read_finding_marks("x;  // finds:\n", "a.cu"), base::Error);
  EXPECT_THROW(read_finding_marks("x;  // finds: shared_race here\n", "a.cu"), base::Error);
  EXPECT_THROW(read_finding_marks("x;  // or: shared_race; perhaps: more\n", "a.cu"), base::Error);
}

}  // namespace
}  // namespace cuset::tests
