#include "data/tokenized_folder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/tiny_model.h"

namespace cuset::data {
namespace {

class TokenizedFolderTest : public testing::Test {
 protected:
  Dataset made() const {
    Sample sample;
    sample.messages =
        base::Json::array({{{"role", "user"}, {"content", "add"}},
                           {{"role", "assistant"}, {"content", "__global__ void k(int* a) { a[0] = 1; }"}}});
    sample.place = "data.jsonl:1";
    sample.weight = 0.5;
    return build_dataset({sample}, builder_);
  }

  support::TinyModelFolder model_;
  ExampleBuilder builder_ = ExampleBuilder::from_model_folder(model_.path());
  std::filesystem::path folder_ = model_.path() / "tokenized";
};

TEST_F(TokenizedFolderTest, WhatIsWrittenIsRead) {
  EXPECT_FALSE(has_tokenized_data(folder_));
  const Dataset before = made();
  write_tokenized(folder_, before, model_.path());
  EXPECT_TRUE(has_tokenized_data(folder_));
  const Dataset after = read_tokenized(folder_, model_.path(), 4096);
  ASSERT_EQ(after.examples.size(), 1u);
  EXPECT_EQ(after.rows, 1u);
  EXPECT_EQ(after.examples[0].ids, before.examples[0].ids);
  EXPECT_EQ(after.examples[0].is_label, before.examples[0].is_label);
  EXPECT_EQ(after.examples[0].is_cuda, before.examples[0].is_cuda);
  EXPECT_GT(after.cuda_labels(), 0u);
  EXPECT_EQ(after.examples[0].weight, 0.5);
  EXPECT_EQ(after.examples[0].place, "data.jsonl:1");
}

TEST_F(TokenizedFolderTest, RefusesWhatDoesNotFit) {
  write_tokenized(folder_, made(), model_.path());
  EXPECT_THROW(read_tokenized(folder_, model_.path(), 4), base::Error) << "longer than the limit";
  const std::string tokenizer = base::read_file(model_.path() / "tokenizer.json");
  base::write_file_atomic(model_.path() / "tokenizer.json", tokenizer + "\n");
  EXPECT_THROW(read_tokenized(folder_, model_.path(), 4096), base::Error) << "another tokenizer";
  std::filesystem::create_directory(model_.path() / "other");
  base::write_file_atomic(model_.path() / "other" / "dataset_dict.json", "{}");
  EXPECT_THROW(has_tokenized_data(model_.path() / "other"), base::UsageError) << "a folder of Hugging Face's";
}

}  // namespace
}  // namespace cuset::data
