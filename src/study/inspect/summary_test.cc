#include "study/inspect/summary.h"

#include <gtest/gtest.h>

#include "support/inspect_sample.h"

namespace cuset::study {
namespace {

data::Dataset small_dataset() {
  data::Dataset dataset;
  dataset.rows = 5;
  dataset.examples = {support::kernel_example("a.jsonl:1"),
                      support::ExampleMaker().prompt({"a", "b"}).response({"c"}).end().done("a.jsonl:2")};
  dataset.dropped = {{"a.jsonl:3", data::DropReason::kTooLong, "5012 tokens, 4096 allowed"},
                     {"a.jsonl:4", data::DropReason::kNothingToLearn, ""},
                     {"a.jsonl:5", data::DropReason::kTooLong, "9000 tokens, 4096 allowed"}};
  dataset.duplicates = {{"a.jsonl:2", data::DropReason::kDuplicate, "repeats a.jsonl:1"}};
  return dataset;
}

TEST(LengthHistogram, BinsAreRoundAndCoverEverything) {
  EXPECT_TRUE(length_histogram({}).empty());
  EXPECT_EQ(length_histogram({0}), (std::vector<LengthBin>{{0, 1, 1}}));
  EXPECT_EQ(length_histogram({99, 100, 399, 1599}).size(), 16u);
  EXPECT_EQ(length_histogram({99, 100, 399, 1599})[3], (LengthBin{300, 400, 1}));
  EXPECT_EQ(length_histogram({99, 100, 399, 1600}).size(), 9u);
  EXPECT_EQ(length_histogram({99, 100, 399, 1600})[0], (LengthBin{0, 200, 2}));
}

TEST(DatasetSummary, CountsTokensLabelsAndCuda) {
  const DatasetSummary summary = summarize(small_dataset());
  EXPECT_EQ(summary.rows, 5u);
  EXPECT_EQ(summary.samples, 2u);
  EXPECT_EQ(summary.tokens, 16u);
  EXPECT_EQ(summary.labels, 12u);
  EXPECT_EQ(summary.cuda_labels, 6u);
  EXPECT_EQ(summary.without_cuda, 1u);
  EXPECT_EQ(summary.cuda_share(), 0.5);
  EXPECT_EQ(summary.lengths.min, 4u);
  EXPECT_EQ(summary.lengths.median, 8);
  EXPECT_EQ(summary.lengths.max, 12u);
}

TEST(DatasetSummary, EmptyDataHasNoLengths) {
  EXPECT_EQ(render_summary(summarize({}), {}), "rows read         0\nsamples           0\n");
}

TEST(DatasetSummary, TextListsReasonsAndFirstPlaces) {
  const data::Dataset dataset = small_dataset();
  const std::string text = render_summary(summarize(dataset), dataset, 2);
  const size_t dropped = text.find("\ndropped rows");
  ASSERT_NE(dropped, std::string::npos) << text;
  EXPECT_EQ(
      text.substr(dropped),
      "\ndropped rows: 3\n  too long           2\n  nothing to learn   1\n"
      "    a.jsonl:3  too long: 5012 tokens, 4096 allowed\n    a.jsonl:4  nothing to learn\n    ... 1 more\n"
      "\nduplicate rows kept: 1\n  duplicate          1\n"
      "    a.jsonl:2  duplicate: repeats a.jsonl:1\n");
  EXPECT_NE(text.find("tokens per sample: min 4, median 8, p95 12, max 12\n"), std::string::npos) << text;
}

TEST(DatasetSummary, JsonHoldsTotalsAndEverySample) {
  const data::Dataset dataset = small_dataset();
  const base::Json json = summary_to_json(summarize(dataset), dataset);
  EXPECT_EQ(json["totals"]["cuda_share"], 0.5);
  EXPECT_EQ(json["totals"]["dropped"], 3);
  EXPECT_EQ(json["dropped"][0]["reason"], "too long");
  EXPECT_EQ(json["samples"].size(), 2u);
  EXPECT_EQ(json["samples"][0]["cuda_labels"], 6);
}

TEST(ExampleToJson, TellsEveryToken) {
  const base::Json json = example_to_json(support::kernel_example());
  EXPECT_EQ(json["ids"].size(), 12u);
  EXPECT_EQ(json["spans"][1], (base::Json{3, 4}));
  EXPECT_EQ(json["response"], (base::Json{4, 41}));
  EXPECT_EQ(json["is_cuda"], base::parse_json("[0,0,0,0,1,1,1,1,1,1,0,0]", "wanted"));
  EXPECT_EQ(json["regions"][1]["kind"], "kernel_body");
}

}  // namespace
}  // namespace cuset::study
