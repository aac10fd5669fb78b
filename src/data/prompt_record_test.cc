#include "data/prompt_record.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace cuset::data {
namespace {

std::string read(const char* record) {
  const PromptRecord prompt = prompt_from_record(base::parse_json(record, "test"), "p.jsonl:1");
  std::string text = prompt.name + ":";
  for (const base::Json& message : prompt.messages) {
    text += fmt::format(" {}={}", message["role"].get<std::string>(), message["content"].get<std::string>());
  }
  return text;
}

TEST(PromptRecord, EveryFormWithoutItsAnswer) {
  EXPECT_EQ(read(R"({"prompt": "a"})"), ": user=a");
  EXPECT_EQ(read(R"({"id": 7, "prompt": "a", "system": "s"})"), "7: system=s user=a");
  EXPECT_EQ(read(R"({"prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": "a"}]})"),
            ": system=s user=a");
  EXPECT_EQ(read(R"({"task": "t", "instruction": "a", "input": "b"})"), "t: user=a\nb");
  EXPECT_EQ(read(R"({"messages": [{"role": "user", "content": "a"}]})"), ": user=a");
  EXPECT_EQ(read(R"({"conversations": [{"from": "human", "value": "a"}]})"), ": user=a");
}

TEST(PromptRecord, AnswersThatAreThereAreLeftAside) {
  EXPECT_EQ(read(R"({"prompt": "a", "response": "x"})"), ": user=a");
  EXPECT_EQ(read(R"({"prompt": "a", "completion": "x"})"), ": user=a");
  EXPECT_EQ(read(R"({"instruction": "a", "output": "x"})"), ": user=a");
  EXPECT_EQ(read(R"({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "x"},
                     {"role": "user", "content": "b"}, {"role": "assistant", "content": "y"}]})"),
            ": user=a assistant=x user=b");
}

TEST(PromptRecord, MistakesNameTheirPlace) {
  const auto error = [](const char* record) { return support::error_of([&] { read(record); }); };
  EXPECT_EQ(error("[]"),
            "p.jsonl:1: the top level must be an object, found a list (write {\"prompt\": \"...\"})");
  EXPECT_NE(error(R"({"promt": "a"})").find("p.jsonl:1: the keys \"promt\" show no known form"),
            std::string::npos)
      << error(R"({"promt": "a"})");
  EXPECT_NE(error(R"({"prompt": 3})").find("p.jsonl:1: field 'prompt' "), std::string::npos);
  EXPECT_NE(error(R"({"id": [], "prompt": "a"})").find("field 'id' must be a string"), std::string::npos);
  EXPECT_NE(error(R"({"messages": []})").find("p.jsonl:1: "), std::string::npos);
  EXPECT_NE(error(R"({"messages": [{"role": "assistant", "content": "x"}]})").find("nothing"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::data
