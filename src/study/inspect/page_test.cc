#include "study/inspect/page.h"

#include <gtest/gtest.h>

#include "support/inspect_sample.h"
#include "support/page_under_test.h"

namespace cuset::study {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)><!--";

TEST(InspectPage, HostileDataStaysText) {
  data::Dataset dataset;
  const data::Example example =
      support::ExampleMaker().prompt({kHostile}).response({kHostile}).end().done(kHostile);
  dataset.examples = {example};
  dataset.dropped = {{kHostile, data::DropReason::kTooLong, kHostile}};
  const std::string page = render_page(dataset, support::byte_tokenizer(), {.title = kHostile});
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(support::count_of(page, "</script>"), 2u);
  EXPECT_EQ(support::count_of(page, "<!--"), 0u);
  const base::Json data = support::data_of_page(page);
  EXPECT_EQ(data["title"], kHostile);
  EXPECT_EQ(data["samples"][0]["pieces"][1][0], kHostile);
  EXPECT_EQ(data["dropped"][0]["detail"], kHostile);
}

TEST(InspectPage, NeedsNothingFromElsewhere) {
  const std::string page = render_page({}, support::byte_tokenizer(), {.title = "empty"});
  for (const char* reference : {" src=", "<link", "url(", "import ", "fetch("}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(InspectPage, TellsWhatTheCapLeftOut) {
  data::Dataset dataset;
  for (int i = 0; i < 3; ++i) {
    dataset.examples.push_back(support::kernel_example());
    dataset.dropped.push_back({"a.jsonl:9", data::DropReason::kTooLong, ""});
  }
  const base::Json data = support::data_of_page(
      render_page(dataset, support::byte_tokenizer(), {.title = "t", .most_samples = 2}));
  EXPECT_EQ(data["samples"].size(), 2u);
  EXPECT_EQ(data["totals"]["samples"], 3);
  EXPECT_EQ(data["dropped"].size(), 2u);
  EXPECT_EQ(data["totals"]["dropped"], 3);
}

TEST(InspectPage, PiecesCarryRoleMarksAndIds) {
  const base::Json sample = sample_for_page(support::kernel_example(), support::byte_tokenizer());
  EXPECT_EQ(sample["pieces"][0], (base::Json{"ask", 0, 0, {97}}));
  EXPECT_EQ(sample["pieces"][4], (base::Json{" {", 4, 3, {32}}));
  EXPECT_EQ(sample["pieces"][11], (base::Json{"<end>", 11, 1, {256}}));
  EXPECT_EQ(sample["regions"][0], (base::Json{3, "f"}));
}

}  // namespace
}  // namespace cuset::study
