#include "study/inspect/page.h"

#include <gtest/gtest.h>

#include "support/inspect_sample.h"
#include "support/page_under_test.h"

namespace cuset {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)><!--";

TEST(InspectPage, HostileDataStaysText) {
  Dataset dataset;
  const Example example = ExampleMaker().prompt({kHostile}).response({kHostile}).end().done(kHostile);
  dataset.examples = {example};
  dataset.dropped = {{kHostile, DropReason::kTooLong, kHostile}};
  const std::string page = render_page(dataset, byte_tokenizer(), {.title = kHostile});
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(count_of(page, "</script>"), 2u);
  EXPECT_EQ(count_of(page, "<!--"), 0u);
  const Json data = data_of_page(page);
  EXPECT_EQ(data["title"], kHostile);
  EXPECT_EQ(data["samples"][0]["pieces"][1][0], kHostile);
  EXPECT_EQ(data["dropped"][0]["detail"], kHostile);
}

TEST(InspectPage, NeedsNothingFromElsewhere) {
  const std::string page = render_page({}, byte_tokenizer(), {.title = "empty"});
  for (const char* reference : {" src=", "<link", "url(", "import ", "fetch("}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(InspectPage, TellsWhatTheCapLeftOut) {
  Dataset dataset;
  for (int i = 0; i < 3; ++i) {
    dataset.examples.push_back(kernel_example());
    dataset.dropped.push_back({"a.jsonl:9", DropReason::kTooLong, ""});
  }
  const Json data = data_of_page(render_page(dataset, byte_tokenizer(), {.title = "t", .most_samples = 2}));
  EXPECT_EQ(data["samples"].size(), 2u);
  EXPECT_EQ(data["totals"]["samples"], 3);
  EXPECT_EQ(data["dropped"].size(), 2u);
  EXPECT_EQ(data["totals"]["dropped"], 3);
}

TEST(InspectPage, PiecesCarryRoleMarksAndIds) {
  const Json sample = sample_for_page(kernel_example(), byte_tokenizer());
  EXPECT_EQ(sample["pieces"][0], (Json{"ask", 0, 0, {97}}));
  EXPECT_EQ(sample["pieces"][4], (Json{" {", 4, 3, {32}}));
  EXPECT_EQ(sample["pieces"][11], (Json{"<end>", 11, 1, {256}}));
  EXPECT_EQ(sample["regions"][0], (Json{3, "f"}));
}

}  // namespace
}  // namespace cuset
