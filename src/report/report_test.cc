#include "report/report.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json/json.h"
#include "report/page_files.h"
#include "support/page_under_test.h"
#include "support/test_folder.h"

namespace cuset::report {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)><!-- {{script}} \u2028";

std::string page_of(const support::TestFolder& folder) {
  return base::read_file(write_report(folder.path()));
}

TEST(Report, HostileTextStaysText) {
  const support::TestFolder folder;
  folder.write("report.json",
               base::to_json_line({{"format", "cuset-report/1"},
                                   {"title", kHostile},
                                   {"notes", {kHostile}},
                                   {"methods", {{{"name", kHostile}, {"verdicts", "v.jsonl"}}}}}));
  folder.write("v.jsonl",
               base::to_json_line({{"task", kHostile}, {"word", "crash"}, {"explanation", kHostile}}));
  const std::string page = page_of(folder);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(support::count_of(page, "</script>"), 4u);
  EXPECT_EQ(support::count_of(page, "<!--"), 0u);
  const base::Json data = support::data_of_page(page);
  EXPECT_EQ(data["about"]["notes"][0], kHostile);
  EXPECT_EQ(data["methods"][0]["name"], kHostile);
  EXPECT_EQ(data["verdicts"]["tasks"][0]["id"], kHostile);
}

TEST(Report, NeedsNothingFromElsewhere) {
  const support::TestFolder folder;
  folder.write("metrics.jsonl", "{\"step\":1,\"loss\":2}\n");
  const std::string page = page_of(folder);
  for (const char* reference : {" src=", "<link", "@import", "url(http"}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(Report, PartsThatAreMissingAreLeftOut) {
  const support::TestFolder folder;
  folder.write("analysis.json", R"({"format": "cuset-analysis/1", "samples": 3})");
  const base::Json data = support::data_of_page(page_of(folder));
  EXPECT_EQ(data["analysis"]["samples"], 3);
  EXPECT_TRUE(data["methods"].empty());
  EXPECT_TRUE(data["verdicts"]["tasks"].empty());
  EXPECT_TRUE(data["differences"].empty());
}

TEST(Report, AnAnalysisOfAnotherFormIsRefused) {
  const support::TestFolder folder;
  folder.write("analysis.json", R"({"format": "cuset-analysis/9"})");
  EXPECT_THROW(write_report(folder.path()), base::Error);
  folder.write("analysis.json", "[]");
  EXPECT_THROW(write_report(folder.path()), base::Error);
}

TEST(Report, ThePageMayBeElsewhere) {
  const support::TestFolder folder;
  folder.write("metrics.jsonl", "{\"step\":1,\"loss\":2}\n");
  const std::filesystem::path page = folder.path() / "pages" / "one.html";
  EXPECT_EQ(write_report(folder.path(), page), page);
  EXPECT_EQ(base::read_file(page), page_of(folder));
}

TEST(Report, SameResultsGiveTheSamePage) {
  const support::TestFolder folder;
  folder.write("verdicts.jsonl", "{\"task\":\"t\",\"word\":\"correct\"}\n");
  EXPECT_EQ(page_of(folder), page_of(folder));
}

TEST(PageFiles, ScriptsAreWhole) {
  EXPECT_EQ(kPageFiles.script.find("</script"), std::string_view::npos);
  EXPECT_EQ(kPageFiles.charts.find("</script"), std::string_view::npos);
  EXPECT_EQ(kPageFiles.charts.find("<!--"), std::string_view::npos);
  EXPECT_TRUE(kPageFiles.script.ends_with("start();\n"));
  EXPECT_TRUE(kPageFiles.html.ends_with("</html>\n"));
}

}  // namespace
}  // namespace cuset::report
