#include "data/dataset.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/tiny_model.h"

namespace cuset::data {
namespace {

class DatasetTest : public testing::Test {
 protected:
  std::filesystem::path write_rows(const std::vector<base::Json>& rows) {
    std::string text;
    for (const base::Json& row : rows) text += base::to_json_line(row) + "\n";
    const auto path = folder_.path() / "data.jsonl";
    base::write_file_atomic(path, text);
    return path;
  }

  static base::Json row(const std::string& prompt, const std::string& response) {
    return {{"prompt", prompt}, {"response", response}};
  }

  support::TinyModelFolder folder_;
  ExampleBuilder builder_ = ExampleBuilder::from_model_folder(folder_.path());
};

TEST_F(DatasetTest, ReportsWhatIsLeftOutByRow) {
  const auto file =
      write_rows({row("a", "short"), row("b", std::string(3000, 'x')), row("c", ""), row("a", "short")});
  const Dataset dataset = load_dataset({file}, builder_, {.max_tokens = 200, .keep_duplicates = false});
  EXPECT_EQ(dataset.rows, 4u);
  ASSERT_EQ(dataset.examples.size(), 1u);
  ASSERT_EQ(dataset.dropped.size(), 3u);
  EXPECT_EQ(dataset.dropped[0].place, file.string() + ":2");
  EXPECT_EQ(dataset.dropped[0].reason, DropReason::kTooLong);
  EXPECT_NE(dataset.dropped[0].detail.find("200 allowed"), std::string::npos);
  EXPECT_EQ(dataset.dropped[1].reason, DropReason::kNothingToLearn);
  EXPECT_EQ(dataset.dropped[2].reason, DropReason::kDuplicate);
  EXPECT_EQ(dataset.dropped[2].detail, "repeats " + file.string() + ":1");
}

TEST_F(DatasetTest, SamplesAtHandAreTreatedAlike) {
  const std::string source = "// ```\n// ```\n__global__ void k(int* a) { a[0] = 1; }\n";
  const Dataset dataset =
      build_dataset({sample_from_source(source, "k.cu"), sample_from_source(source, "copy.cu"),
                     sample_from_source("", "e.cu")},
                    builder_);
  EXPECT_EQ(dataset.rows, 3u);
  ASSERT_EQ(dataset.examples.size(), 2u);
  EXPECT_TRUE(dataset.examples[0].is_source);
  EXPECT_GT(dataset.examples[0].cuda_labels(), 0u) << "fences in a comment of a source mean nothing";
  EXPECT_EQ(dataset.dropped[0].place, "e.cu");
  EXPECT_EQ(dataset.duplicates[0].detail, "repeats k.cu");
}

TEST_F(DatasetTest, DuplicatesAreKeptAndReportedByDefault) {
  const auto file = write_rows({row("a", "b"), row("a", "b"), row("a", "c")});
  const Dataset dataset = load_dataset({file}, builder_);
  EXPECT_EQ(dataset.examples.size(), 3u);
  ASSERT_EQ(dataset.duplicates.size(), 1u);
  EXPECT_EQ(dataset.duplicates[0].place, file.string() + ":2");
}

TEST_F(DatasetTest, OverLengthCanBeAnErrorOrTruncated) {
  const auto file = write_rows({row("a", std::string(3000, 'x'))});
  EXPECT_THROW(load_dataset({file}, builder_, {.max_tokens = 100, .over_length = OverLength::kError}),
               base::Error);
  const Dataset cut =
      load_dataset({file}, builder_, {.max_tokens = 100, .over_length = OverLength::kTruncate});
  ASSERT_EQ(cut.examples.size(), 1u);
  EXPECT_EQ(cut.truncated, 1u);
  EXPECT_EQ(cut.examples[0].ids.size(), 100u);
}

TEST_F(DatasetTest, APromptOverTheLimitLeavesNothingToLearn) {
  const auto file = write_rows({row(std::string(3000, 'x'), "answer")});
  const Dataset dataset =
      load_dataset({file}, builder_, {.max_tokens = 50, .over_length = OverLength::kTruncate});
  EXPECT_TRUE(dataset.examples.empty());
  ASSERT_EQ(dataset.dropped.size(), 1u);
  EXPECT_EQ(dataset.dropped[0].reason, DropReason::kNothingToLearn);
}

TEST_F(DatasetTest, TheResultDoesNotDependOnThreads) {
  std::vector<base::Json> rows;
  for (int i = 0; i < 2500; ++i) rows.push_back(row("q" + std::to_string(i), "a" + std::to_string(i * i)));
  const auto file = write_rows(rows);
  const Dataset one = load_dataset({file}, builder_, {.threads = 1});
  const Dataset four = load_dataset({file}, builder_, {.threads = 4});
  ASSERT_EQ(one.examples.size(), 2500u);
  for (size_t i = 0; i < one.examples.size(); ++i) {
    EXPECT_EQ(one.examples[i].ids, four.examples[i].ids);
    EXPECT_EQ(one.examples[i].place, file.string() + ":" + std::to_string(i + 1));
  }
}

TEST_F(DatasetTest, TheFirstRowsOfEachFileCanBeTaken) {
  const auto file = write_rows({row("a", "b"), row("c", "d"), row("e", "f")});
  const Dataset dataset = load_dataset({file, file}, builder_, {.max_rows = 2});
  EXPECT_EQ(dataset.rows, 4u);
  EXPECT_EQ(dataset.examples[2].place, file.string() + ":1");
}

TEST_F(DatasetTest, AMalformedRowStopsWithItsPlace) {
  const auto file = write_rows({row("a", "b"), {{"promt", "a"}, {"response", "b"}}});
  try {
    load_dataset({file}, builder_);
    FAIL() << "accepted";
  } catch (const base::Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, file.string().size() + 3), file.string() + ":2:");
  }
}

TEST_F(DatasetTest, TextCanBeForgotten) {
  const auto file = write_rows({row("a", "b")});
  const Dataset dataset = load_dataset({file}, builder_, {.keep_text = false});
  ASSERT_EQ(dataset.examples.size(), 1u);
  EXPECT_TRUE(dataset.examples[0].text.empty());
  EXPECT_GT(dataset.examples[0].ids.size(), 0u);
}

TEST_F(DatasetTest, AllMalformedRowsAreCounted) {
  const auto file =
      write_rows({row("a", "b"), {{"prompt", 1}, {"response", "x"}}, row("c", "d"), {{"promt", "e"}}});
  try {
    load_dataset({file}, builder_);
    FAIL() << "accepted";
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("2 of 4 rows are malformed; the first: " + file.string() + ":2"),
              std::string::npos)
        << error.what();
  }
  const Dataset dataset = load_dataset({file}, builder_, {.skip_bad_rows = true});
  EXPECT_EQ(dataset.rows, 4u);
  EXPECT_EQ(dataset.examples.size(), 2u);
  ASSERT_EQ(dataset.dropped.size(), 2u);
  EXPECT_EQ(dataset.dropped[1].place, file.string() + ":4");
  EXPECT_EQ(dataset.dropped[1].reason, DropReason::kMalformed);
}

TEST_F(DatasetTest, LinesThatAreNotJsonAreRowsLikeOthers) {
  const auto file = folder_.path() / "data.jsonl";
  base::write_file_atomic(file, "{\"prompt\": \"a\", \"response\": \"b\"}\n{oops\n{\"prompt\": 3}\n");
  const Dataset dataset = load_dataset({file}, builder_, {.skip_bad_rows = true});
  EXPECT_EQ(dataset.examples.size(), 1u);
  EXPECT_EQ(dataset.dropped.size(), 2u);
}

TEST_F(DatasetTest, LongDocumentsBecomePieces) {
  const auto file = write_rows({{{"text", std::string(100, 'x') + " " + std::string(100, 'y')}}});
  const Dataset whole = load_dataset({file}, builder_);
  ASSERT_EQ(whole.examples.size(), 1u);
  const std::vector<uint32_t>& ids = whole.examples[0].ids;
  const Dataset pieces =
      load_dataset({file}, builder_, {.max_tokens = 16, .over_length = OverLength::kTruncateTurns});
  std::vector<uint32_t> joined;
  for (const Example& piece : pieces.examples) {
    EXPECT_LE(piece.ids.size(), 16u);
    joined.insert(joined.end(), piece.ids.begin(), piece.ids.end());
  }
  ASSERT_GT(ids.size(), 16u);
  EXPECT_GE(joined.size() + 1, ids.size()) << "a last piece of one token has nothing to predict";
  EXPECT_TRUE(std::equal(joined.begin(), joined.end(), ids.begin()));
}

TEST_F(DatasetTest, NamedDataIsReadByItsColumns) {
  const auto file = write_rows({{{"question", "a"}, {"answer", "b"}}});
  RecordForm form;
  form.prompt = "question";
  form.response = "answer";
  const Dataset named = load_dataset(std::vector<DataSource>{{file, form}}, builder_);
  const auto plain = write_rows({row("a", "b")});
  EXPECT_EQ(named.examples.at(0).ids, load_dataset({plain}, builder_).examples.at(0).ids);
}

}  // namespace
}  // namespace cuset::data
