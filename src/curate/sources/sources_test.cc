#include "curate/sources/sources.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

class Collected : public RowSink {
 public:
  void take(Row row) override { rows.push_back(std::move(row)); }
  void refuse(const std::string&, const std::string&, const Rejection& rejection) override {
    refused.push_back(rejection.detail);
  }
  std::vector<Row> rows;
  std::vector<std::string> refused;
};

const char* const kTask =
    R"({"id": "t1", "family": "copy", "prompts": [{"level": "1", "text": "Copy."}, {"level": "2", "text": "Copy x."}], )"
    R"("inputs": [{"name": "x", "type": "float32", "shape": [4], "domain": "normal"}], "outputs": [{"name": "y", "type": "float32", "shape": [4]}], )"
    R"("oracle": {"native": "copy"}})";

class Sources : public testing::Test {
 protected:
  Collected read(const PlannedSource& source) const {
    Collected sink;
    read_source(source, TaskCatalog({source}), sink);
    return sink;
  }
  PlannedSource source(const std::string& text) {
    PlannedSource made;
    made.name = "s";
    made.file = folder_.write("rows.jsonl", text);
    return made;
  }

  support::TestFolder folder_;
};

TEST_F(Sources, EveryFormOfSampleIsRead) {
  const Collected got = read(source(
      "{\"id\": 7, \"prompt\": \"a\", \"response\": \"b\", \"weight\": 2, \"license\": \"MIT\", \"family\": \"f\"}\n"
      "{\"instruction\": \"a\", \"output\": \"b\"}\n"
      "{\"conversations\": [{\"from\": \"human\", \"value\": \"a\"}, {\"from\": \"gpt\", \"value\": \"b\"}]}\n"
      "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, {\"role\": \"assistant\", \"content\": \"b\"}]}\n"
      "{\"text\": \"b\"}\n"));
  ASSERT_EQ(got.rows.size(), 5u);
  for (const Row& row : got.rows) EXPECT_EQ(row.response(), "b");
  EXPECT_EQ(got.rows[0].id, "7");
  EXPECT_EQ(got.rows[0].weight, 2);
  EXPECT_EQ(got.rows[0].license, "MIT");
  EXPECT_EQ(got.rows[0].family, "f");
  EXPECT_TRUE(got.rows[1].id.ends_with("rows.jsonl:2"));
  EXPECT_TRUE(got.rows[4].is_document());
}

TEST_F(Sources, BrokenRecordsAreRefusedAndTheRestIsRead) {
  const Collected got =
      read(source("{\"prompt\": \"a\"}\n{broken\n[1]\n{\"prompt\": \"a\", \"response\": \"b\"}\n"));
  EXPECT_EQ(got.rows.size(), 1u);
  ASSERT_EQ(got.refused.size(), 3u);
  EXPECT_NE(got.refused[0].find("rows.jsonl:1"), std::string::npos);
  EXPECT_NE(got.refused[1].find("rows.jsonl:2"), std::string::npos);
}

TEST_F(Sources, RowsFindTheirTaskByName) {
  PlannedSource rows = source(
      "{\"id\": \"t1\", \"prompt\": \"a\", \"response\": \"b\"}\n"
      "{\"task\": \"t1\", \"id\": \"x\", \"prompt\": \"a\", \"response\": \"b\"}\n"
      "{\"id\": \"t2\", \"prompt\": \"a\", \"response\": \"b\"}\n");
  rows.tasks = folder_.write("tasks.jsonl", std::string(kTask) + "\n");
  const Collected got = read(rows);
  ASSERT_EQ(got.rows.size(), 3u);
  EXPECT_EQ(got.rows[0].task, "t1");
  EXPECT_EQ(got.rows[0].family, "copy");
  EXPECT_EQ(got.rows[1].task, "t1");
  EXPECT_EQ(got.rows[1].id, "x");
  EXPECT_EQ(got.rows[2].task, "");
}

TEST_F(Sources, AnswersGetThePromptOfTheirLevel) {
  PlannedSource answered;
  answered.name = "s";
  answered.tasks = folder_.write("tasks.jsonl", std::string(kTask) + "\n");
  answered.answers = folder_.write(
      "answers.jsonl",
      "{\"task\": \"t1\", \"sample\": 0, \"text\": \"b\", \"tokens\": 9, \"reasoning_tokens\": 4}\n"
      "{\"task\": \"t1\", \"sample\": 1, \"text\": \"c\"}\n");
  answered.level = "2";
  const Collected got = read(answered);
  ASSERT_EQ(got.rows.size(), 2u);
  EXPECT_EQ(got.rows[0].prompt(), "Copy x.");
  EXPECT_EQ(got.rows[0].id, "t1#0");
  EXPECT_EQ(got.rows[0].tokens, 9);
  EXPECT_EQ(got.rows[0].reasoning_tokens, 4);
  EXPECT_EQ(got.rows[1].reasoning_tokens, -1);
  answered.level = "9";
  EXPECT_THROW(read(answered), base::Error);
}

TEST_F(Sources, TasksOfOneIdMustAgree) {
  PlannedSource a = source(""), b = a;
  a.tasks = folder_.write("a.jsonl", std::string(kTask) + "\n");
  std::string other = kTask;
  other.replace(other.find("Copy."), 5, "Move.");
  b.tasks = folder_.write("b.jsonl", other + "\n");
  EXPECT_THROW(TaskCatalog({a, b}), base::Error);
  b.tasks = folder_.write("c.jsonl", std::string(kTask) + "\n");
  EXPECT_EQ(TaskCatalog({a, b}).all().size(), 1u);
}

TEST_F(Sources, RowsSurviveTheirFile) {
  Row row;
  row.id = "i";
  row.source = "s";
  row.place = "p:1";
  row.messages = base::Json::parse(
      R"([{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a"}])");
  row.tools = base::Json::parse(R"([{"name":"f"}])");
  row.weight = 0.5;
  row.task = "t";
  row.reasoning_tokens = 3;
  const Row back = row_from_json(json_of(row), "x:1");
  EXPECT_EQ(json_of(back), json_of(row));
  EXPECT_EQ(back.prompt(), "s\nu");
  const base::Json record = training_record(back);
  EXPECT_EQ(record["messages"].size(), 3u);
  EXPECT_EQ(record["weight"], 0.5);
}

}  // namespace
}  // namespace cuset::curate
