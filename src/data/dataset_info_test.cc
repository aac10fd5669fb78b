#include "data/dataset_info.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "data/sample.h"
#include "support/error_text.h"

namespace cuset::data {
namespace {

class DatasetInfoTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"a.json", "b.jsonl", "c.txt"}) base::write_file_atomic(folder_ / file, "[]");
  }

  void describe(const std::string& name, const base::Json& entry) {
    info_[name] = entry;
    base::write_file_atomic(folder_ / "dataset_info.json", base::to_json_line(info_));
  }

  std::vector<DataSource> find(const std::string& name, bool stage_is_pt = false) const {
    return named_dataset(folder_.path(), name, stage_is_pt);
  }

  // The messages that a record of the data set becomes: "user: hi | assistant: ho".
  std::string messages(const std::string& name, const base::Json& record) const {
    const Sample sample =
        sample_from_record(find(name).at(0).form->to_known_form(record, "a.json#1"), "a.json#1");
    std::string text;
    for (const base::Json& message : sample.messages) {
      text += (text.empty() ? "" : " | ") + message["role"].get<std::string>() + ": " +
              message["content"].get<std::string>();
    }
    return text;
  }

  std::string complaint(const std::string& name, bool stage_is_pt = false) const {
    try {
      find(name, stage_is_pt);
    } catch (const base::UsageError& error) {
      std::string text = error.what();
      const size_t at = text.find(folder_.path().string());
      return at == text.npos ? text : text.replace(at, folder_.path().string().size(), "FOLDER");
    }
    return "accepted";
  }

  base::TemporaryFolder folder_;
  base::Json info_ = base::Json::object();
};

TEST_F(DatasetInfoTest, AlpacaIsTheDefault) {
  describe("plain", {{"file_name", "a.json"}});
  EXPECT_EQ(find("plain").at(0).file, folder_ / "a.json");
  EXPECT_EQ(messages("plain", {{"instruction", "add"}, {"input", "two"}, {"output", "done"}}),
            "user: add\ntwo | assistant: done");
  EXPECT_EQ(messages("plain", {{"instruction", "add"},
                               {"output", "done"},
                               {"history", base::Json::array({base::Json::array({"x", "y"})})}}),
            "user: add | assistant: done")
      << "history is read only where it is named";
}

TEST_F(DatasetInfoTest, ColumnsRenameKeys) {
  describe("named",
           {{"file_name", "a.json"},
            {"columns",
             {{"prompt", "question"}, {"response", "answer"}, {"system", "sys"}, {"history", "before"}}}});
  EXPECT_EQ(messages("named", {{"question", "q"},
                               {"input", "not named"},
                               {"answer", "a"},
                               {"sys", "s"},
                               {"before", base::Json::array({base::Json::array({"q0", "a0"})})}}),
            "system: s | user: q0 | assistant: a0 | user: q | assistant: a");
}

// Otherwise every answer would be learned without its question.
TEST_F(DatasetInfoTest, ARecordWithoutTheColumnOfItsPromptIsRefused) {
  describe("typo", {{"file_name", "a.json"}, {"columns", {{"prompt", "questoin"}, {"response", "answer"}}}});
  EXPECT_EQ(
      support::error_of([&] { messages("typo", {{"question", "q"}, {"answer", "a"}}); }),
      "a.json#1: field 'questoin' is missing; it must be a string (dataset_info.json names the columns)");
  EXPECT_EQ(messages("typo", {{"questoin", ""}, {"answer", "a"}}), "user:  | assistant: a");
}

TEST_F(DatasetInfoTest, TagsRenameRoles) {
  describe("chat", {{"file_name", "a.json"},
                    {"formatting", "sharegpt"},
                    {"columns", {{"messages", "talk"}}},
                    {"tags",
                     {{"role_tag", "who"},
                      {"content_tag", "what"},
                      {"user_tag", "me"},
                      {"assistant_tag", "bot"},
                      {"system_tag", "rules"}}}});
  const base::Json talk = {
      {{"who", "rules"}, {"what", "r"}}, {{"who", "me"}, {"what", "q"}}, {{"who", "bot"}, {"what", "a"}}};
  EXPECT_EQ(messages("chat", {{"talk", talk}}), "system: r | user: q | assistant: a");
}

TEST_F(DatasetInfoTest, TextsAreForPretraining) {
  describe("texts", {{"file_name", "b.jsonl"}, {"columns", {{"prompt", "body"}}}});
  const base::Json known = find("texts", true).at(0).form->to_known_form({{"body", "Once."}}, "b.jsonl:1");
  EXPECT_EQ(known, (base::Json{{"text", "Once."}}));
  EXPECT_EQ(
      complaint("texts"),
      "dataset: \"texts\" is not supported by cuset: its \"columns\" name no response, so it is for stage: pt");
}

TEST_F(DatasetInfoTest, RefusesByName) {
  describe("plain", {{"file_name", "a.json"}});
  describe("hub", {{"hf_hub_url", "someone/set"}});
  describe("pairs", {{"file_name", "a.json"}, {"ranking", true}});
  describe("judged", {{"file_name", "a.json"}, {"columns", {{"kto_tag", "label"}}}});
  describe("pictures", {{"file_name", "a.json"}, {"columns", {{"images", "images"}}}});
  describe("lost", {{"file_name", "z.json"}});
  describe("prose", {{"file_name", "c.txt"}});
  EXPECT_EQ(
      complaint("plian"),
      "dataset: \"plian\" is neither a file nor a name in FOLDER/dataset_info.json; did you mean 'plain'?");
  EXPECT_EQ(
      complaint("hub"),
      "dataset: \"hub\" is not supported by cuset: its hf_hub_url is \"someone/set\", and nothing is downloaded");
  EXPECT_EQ(
      complaint("pairs"),
      "dataset: \"pairs\" is not supported by cuset: it is preference data (\"ranking\"), for stage dpo or rm");
  EXPECT_EQ(
      complaint("judged"),
      "dataset: \"judged\" is not supported by cuset: it is preference data (\"kto_tag\"), for stage kto");
  EXPECT_EQ(complaint("pictures"),
            "dataset: \"pictures\" is not supported by cuset: its records have images");
  EXPECT_EQ(complaint("lost"), "dataset: \"lost\" is FOLDER/z.json, which does not exist");
  EXPECT_EQ(complaint("prose"),
            "dataset: \"prose\" is not supported by cuset: FOLDER/c.txt is neither JSON nor JSONL");
}

TEST_F(DatasetInfoTest, VersionOneNamesFilesInYaml) {
  const auto yaml = folder_ / "sets.yaml";
  base::write_file_atomic(yaml,
                          fmt::format("first:\n  path: {0}\n  source: local\n  converter: alpaca\n  size: 3\n"
                                      "second:\n  path: {1}\n  source: local\n",
                                      (folder_ / "a.json").string(), (folder_ / "b.jsonl").string()));
  const std::vector<DataSource> sources = v1_datasets(yaml);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].max_rows, 3u);
  EXPECT_TRUE(sources[0].form.has_value());
  EXPECT_EQ(sources[1].file, folder_ / "b.jsonl");
  EXPECT_FALSE(sources[1].form.has_value());
  base::write_file_atomic(yaml, "far:\n  path: someone/set\n  converter: pair\n");
  EXPECT_THROW(v1_datasets(yaml), base::UsageError);
}

}  // namespace
}  // namespace cuset::data
