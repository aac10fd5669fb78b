// Records of any JSON: random ones, near to good ones and not, and huge ones.
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/stats/random.h"
#include "data/sample.h"

namespace cuset::data {
namespace {

constexpr std::string_view kGoodRecords[] = {
    R"({"messages": [{"role": "user", "content": [{"type": "text", "text": "q"}]},
                     {"role": "assistant", "content": null, "tool_calls": [{"id": 1}]},
                     {"role": "tool", "content": "r"}, {"role": "assistant", "content": "a"}], "weight": 1})",
    R"({"prompt": [{"role": "user", "content": "q"}], "completion": "a", "system": "s"})",
    R"({"prompt": "q", "response": [{"role": "assistant", "content": "a"}], "tools": [{"name": "f"}]})",
    R"({"instruction": "i", "input": "x", "output": "a", "history": [["1", "2"]]})",
    R"({"conversations": [{"from": "human", "value": "q"}, {"from": "function_call",
        "value": "{\"name\": \"f\", \"arguments\": 1}"}, {"from": "tool", "value": "r"}, {"from": "gpt", "value": "a"}]})"};

// Values made of the words that matter, so that many get far.
class RandomJson {
 public:
  explicit RandomJson(uint64_t seed) : stream_(seed, "json") {}

  base::Json value(int depth) {
    switch (stream_.below(depth > 0 ? 9 : 6)) {
      case 0:
        return nullptr;
      case 1:
        return stream_.below(2) == 1;
      case 2:
        return stream_.normal();
      case 3:
        return static_cast<int64_t>(stream_.next_u64());
      case 4:
        return word();
      case 5:
        return call();
      case 6:
        return list(depth);
      default:
        return object(depth);
    }
  }

  // A good record with up to two values replaced.
  base::Json record() {
    base::Json record = base::parse_json(kGoodRecords[stream_.below(std::size(kGoodRecords))], "test");
    for (uint64_t left = stream_.below(3); left > 0; --left) {
      base::Json* place = &record;
      do {
        place = &*std::next(place->begin(), static_cast<ptrdiff_t>(stream_.below(place->size())));
      } while (place->is_structured() && !place->empty() && stream_.below(4) != 0);
      *place = value(2);
    }
    return record;
  }

 private:
  base::Json object(int depth) {
    base::Json object = base::Json::object();
    for (uint64_t left = stream_.below(5); left > 0; --left) object[word()] = value(depth - 1);
    return object;
  }

  base::Json list(int depth) {
    base::Json list = base::Json::array();
    for (uint64_t left = stream_.below(4); left > 0; --left) list.push_back(value(depth - 1));
    return list;
  }

  std::string word() {
    static constexpr std::string_view kWords[] = {
        "messages",      "role",          "content",    "prompt", "completion", "response", "instruction",
        "input",         "output",        "history",    "from",   "value",      "system",   "tools",
        "conversations", "weight",        "user",       "human",  "text",       "gpt",      "assistant",
        "type",          "function_call", "tool_calls", "",       "asistant",   "messages", "tool",
        "observation",   "prompts",       "\xff\n"};
    return std::string(kWords[stream_.below(std::size(kWords))]);
  }

  std::string call() { return R"({"name": "f", "arguments": )" + std::to_string(stream_.below(9)) + "}"; }

  base::RandomStream stream_;
};

void expect_promises(const Sample& sample) {
  ASSERT_FALSE(sample.messages.empty());
  for (const base::Json& message : sample.messages) {
    ASSERT_TRUE(message.at("role").is_string());
    ASSERT_TRUE(message.at("content").is_string());
  }
  ASSERT_EQ(sample.messages.back().at("role"), "assistant");
  ASSERT_EQ(sample.response(), sample.messages.back().at("content").get<std::string>());
  ASSERT_GE(sample.weight, 0);
}

TEST(AnyRecord, GivesASampleOrAnError) {
  RandomJson random(1);
  size_t samples = 0;
  for (int i = 0; i < 50'000; ++i) {
    const base::Json record = i % 4 == 0 ? random.value(4) : random.record();
    try {
      expect_promises(sample_from_record(record, "d.jsonl:7"));
      ++samples;
    } catch (const base::Error& error) {
      ASSERT_TRUE(std::string_view(error.what()).starts_with("d.jsonl:7: ")) << error.what();
      ASSERT_FALSE(error.remedy().empty()) << error.what();
      ASSERT_EQ(error.one_line().find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(samples, 10'000u);
  EXPECT_LT(samples, 40'000u);
}

TEST(AnyRecord, TakesLinearTimeWhereItIsHuge) {
  // A quadratic reader would take hours over these.
  base::Json message = {{"role", "user"}, {"content", "q"}};
  base::Json unknown = base::Json::object();
  for (int i = 0; i < 300'000; ++i) {
    message.get_ref<base::Json::object_t&>().emplace_back("key" + std::to_string(i), i);
    unknown.get_ref<base::Json::object_t&>().emplace_back("message" + std::to_string(i), i);
  }
  const base::Json record = {
      {"messages", base::Json::array({message, {{"role", "assistant"}, {"content", "a"}}})}};
  EXPECT_EQ(sample_from_record(record, "d.jsonl:7").messages[0].size(), 300'002u);
  std::string complaint;
  try {
    sample_from_record(unknown, "d.jsonl:7");
  } catch (const base::Error& error) {
    complaint = error.what();
  }
  EXPECT_FALSE(complaint.empty());
  EXPECT_LT(complaint.size(), 400u);
}

}  // namespace
}  // namespace cuset::data
