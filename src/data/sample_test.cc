#include "data/sample.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace cuset::data {
namespace {

struct Case {
  std::string record;
  std::string expected;
};

base::Json parsed(const std::string& text) { return base::parse_json(text, "test"); }

// The sample's messages as JSON, or the error's line.
std::string messages_of(const std::string& record) {
  try {
    return base::to_json_line(sample_from_record(parsed(record), "d.jsonl:7").messages);
  } catch (const base::Error& error) {
    return error.one_line();
  }
}

// The error's message; its remedy is checked to be there.
std::string error_of(const base::Json& record) {
  try {
    return "no error: " + base::to_json_line(sample_from_record(record, "d.jsonl:7").messages);
  } catch (const base::Error& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
}

void expect_messages(const std::vector<Case>& cases) {
  for (const auto& [record, expected] : cases) EXPECT_EQ(messages_of(record), expected) << record;
}

void expect_errors(const std::vector<Case>& cases) {
  for (const auto& [record, expected] : cases) {
    EXPECT_EQ(error_of(parsed(record)), "d.jsonl:7: " + expected) << record;
  }
}

constexpr std::string_view kPlain = R"([{"role":"user","content":"q"},{"role":"assistant","content":"a"}])";
constexpr std::string_view kWithSystem =
    R"([{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"}])";

TEST(SampleFormat, IsRecognizedByKeys) {
  const std::pair<std::string, SampleFormat> cases[] = {
      {R"({"messages": []})", SampleFormat::kMessages},
      {R"({"messages": [], "prompt": "an id beside it"})", SampleFormat::kMessages},
      {R"({"prompt": "", "completion": ""})", SampleFormat::kCompletion},
      {R"({"completion": 1, "id": 2, "prompt": 3})", SampleFormat::kCompletion},
      {R"({"prompt": "", "response": ""})", SampleFormat::kResponse},
      {R"({"prompt": "", "response": "", "completion": null})", SampleFormat::kResponse},
      {R"({"instruction": "", "output": ""})", SampleFormat::kAlpaca},
      {R"({"instruction": "", "input": "", "output": "", "text": ""})", SampleFormat::kAlpaca},
      {R"({"conversations": []})", SampleFormat::kShareGpt},
      {R"({"text": "__global__ void f() {}", "source": "gym"})", SampleFormat::kText},
      {R"({"messages": [], "text": "the same, rendered"})", SampleFormat::kMessages},
  };
  for (const auto& [record, format] : cases) {
    EXPECT_EQ(name_of(recognize_format(parsed(record), "d.jsonl:7")), name_of(format)) << record;
  }
}

TEST(SampleText, IsADocumentAndNoConversation) {
  const Sample sample = sample_from_record(parsed(R"({"text": "a", "weight": 2})"), "d.jsonl:7");
  EXPECT_TRUE(sample.is_document());
  EXPECT_EQ(sample.response(), "a");
  EXPECT_EQ(sample.weight, 2);
  EXPECT_TRUE(sample.vouched);
  EXPECT_FALSE(sample_from_record(parsed(R"({"text": "a", "vouched": false})"), "d.jsonl:7").vouched);
  EXPECT_TRUE(sample_from_record(parsed(R"({"text": "a", "vouched": true})"), "d.jsonl:7").vouched);
  EXPECT_THROW(sample_from_record(parsed(R"({"text": "a", "vouched": "no"})"), "d.jsonl:7"), base::Error);
  expect_errors({
      {R"({"text": "a", "system": "s"})", "field 'system' has no meaning beside \"text\""},
      {R"({"text": 1})", "field 'text' must be a string, found the number 1"},
  });
}

TEST(SampleFormat, UnknownKeysGetTheNearestForm) {
  expect_errors({
      {R"({"promt": "q", "completion": "a"})",
       R"(the keys "promt", "completion" show no known form; nearest is completion, which lacks "prompt" )"
       R"((is it "promt"?))"},
      {R"({"mesages": []})",
       R"(the keys "mesages" show no known form; nearest is messages, which lacks "messages" (is it "mesages"?))"},
      {R"({"query": "q", "response": "a"})",
       R"(the keys "query", "response" show no known form; nearest is response, which lacks "prompt")"},
      {R"({"Instruction": "q", "Output": "a"})",
       R"(the keys "Instruction", "Output" show no known form; nearest is alpaca, which lacks "instruction" )"
       R"((is it "Instruction"?) and "output" (is it "Output"?))"},
      {R"({"id": "a", "prompts": [], "kind": "program"})",
       "this is a kernel task, not a sample of training data"},
      {R"({"body": "q"})", R"(the keys "body" show no known form)"},
      {R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1})",
       R"(the keys "a", "b", "c", "d", "e", "f", "g", "h", ... show no known form)"},
      {R"({})", "a record without values shows no known form"},
      {R"({"messages": null})", "a record without values shows no known form"},
      {R"(["prompt"])", "the top level must be an object, found a list"},
      {R"(null)", "the top level must be an object, found null"},
  });
}

TEST(SampleFormat, TwoFormsAreRefused) {
  expect_errors({
      {R"({"prompt": "q", "completion": "a", "response": "b"})",
       "the keys show two forms, completion and response"},
      {R"({"messages": [], "conversations": []})", "the keys show two forms, messages and sharegpt"},
      {R"({"instruction": "q", "output": "a", "prompt": "q", "response": "a"})",
       "the keys show two forms, response and alpaca"},
  });
}

TEST(Sample, EveryFormGivesTheSameConversation) {
  const std::string plain(kPlain);
  const std::string with_system(kWithSystem);
  expect_messages({
      {R"({"messages": )" + plain + "}", plain},
      {R"({"messages": )" + plain + R"(, "system": "s"})", with_system},
      {R"({"messages": )" + with_system + R"(, "system": "s"})", with_system},
      {R"({"prompt": "q", "completion": "a"})", plain},
      {R"({"prompt": "q", "completion": "a", "system": "s"})", with_system},
      {R"({"prompt": "q", "completion": "a", "system": ""})", plain},
      {R"({"prompt": "q", "completion": "a", "system": null})", plain},
      {R"({"prompt": [{"role": "user", "content": "q"}], "completion": "a"})", plain},
      {R"({"prompt": "q", "completion": [{"role": "assistant", "content": "a"}]})", plain},
      {R"({"prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}],
           "completion": [{"role": "assistant", "content": "a"}]})",
       with_system},
      {R"({"prompt": "q", "response": "a", "system": "s"})", with_system},
      {R"({"instruction": "q", "output": "a"})", plain},
      {R"({"instruction": "q", "input": "", "output": "a", "system": "s"})", with_system},
      {R"({"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]})", plain},
      {R"({"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}], "system": "s"})",
       with_system},
      {R"({"conversations": [{"from": "system", "value": "s"}, {"from": "user", "value": "q"},
                             {"from": "assistant", "value": "a"}]})",
       with_system},
      {R"({"conversations": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]})",
       plain},
  });
}

TEST(Sample, AlpacaJoinsInstructionAndInputWithANewline) {
  expect_messages({
      {R"({"instruction": "i", "input": "x", "output": "a"})",
       R"([{"role":"user","content":"i\nx"},{"role":"assistant","content":"a"}])"},
      {R"({"instruction": "", "input": "x", "output": "a"})",
       R"([{"role":"user","content":"x"},{"role":"assistant","content":"a"}])"},
      {R"({"instruction": "i", "input": null, "output": "a", "history": []})",
       R"([{"role":"user","content":"i"},{"role":"assistant","content":"a"}])"},
      {R"({"instruction": "i", "output": "a", "system": "s", "history": [["1", "2"], ["3", "4"]]})",
       R"([{"role":"system","content":"s"},{"role":"user","content":"1"},{"role":"assistant","content":"2"},)"
       R"({"role":"user","content":"3"},{"role":"assistant","content":"4"},)"
       R"({"role":"user","content":"i"},{"role":"assistant","content":"a"}])"},
  });
}

TEST(Sample, PartsOfAContentAreJoined) {
  expect_messages({
      {R"({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                        {"role": "assistant", "content": []}]})",
       R"([{"role":"user","content":"ab"},{"role":"assistant","content":""}])"},
  });
}

TEST(Sample, OtherKeysOfAMessageAreKept) {
  expect_messages({
      {R"({"messages": [{"name": "Ann", "content": "q", "role": "user"},
                        {"role": "assistant", "content": null, "tool_calls": [{"id": 1}]},
                        {"role": "tool", "content": "r", "tool_call_id": 1},
                        {"role": "assistant", "content": "a", "tool_calls": null}]})",
       R"([{"role":"user","content":"q","name":"Ann"},)"
       R"({"role":"assistant","content":"","tool_calls":[{"id":1}]},)"
       R"({"role":"tool","content":"r","tool_call_id":1},)"
       R"({"role":"assistant","content":"a","tool_calls":null}])"},
  });
}

TEST(Sample, ReasoningBesideTheResponseOpensIt) {
  expect_messages({
      {R"({"messages": [{"role": "user", "content": "q"},
                        {"role": "assistant", "content": "a", "reasoning_content": "t"}]})",
       R"([{"role":"user","content":"q"},{"role":"assistant","content":"<think>\nt\n</think>\n\na"}])"},
      {R"({"messages": [{"role": "user", "content": "q"},
                        {"role": "assistant", "content": "a", "reasoning_content": ""}]})",
       R"([{"role":"user","content":"q"},{"role":"assistant","content":"a"}])"},
  });
}

TEST(Sample, ShareGptSpeakersBecomeRoles) {
  const std::pair<std::string, std::string> cases[] = {
      {"human", "user"},     {"user", "user"},          {"system", "system"},    {"gpt", "assistant"},
      {"bing", "assistant"}, {"bard", "assistant"},     {"observation", "tool"}, {"chatgpt", "assistant"},
      {"tool", "tool"},      {"assistant", "assistant"}};
  for (const auto& [speaker, role] : cases) {
    EXPECT_EQ(messages_of(R"({"conversations": [{"from": ")" + speaker +
                          R"(", "value": "q"}, {"from": "gpt", "value": "a"}]})"),
              R"([{"role":")" + role + R"(","content":"q"},{"role":"assistant","content":"a"}])");
  }
}

TEST(Sample, ShareGptFunctionCallsBecomeToolCalls) {
  const std::string opening =
      R"({"conversations": [{"from": "human", "value": "q"}, {"from": "function_call", "value": )";
  const std::string ending = R"(}, {"from": "observation", "value": "r"}, {"from": "gpt", "value": "a"}]})";
  const std::string call = R"({"type":"function","function":{"name":"f","arguments":{"x":1}}})";
  const auto expected = [&](const std::string& calls) {
    return R"([{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[)" + calls +
           R"(]},{"role":"tool","content":"r"},{"role":"assistant","content":"a"}])";
  };
  const std::string one = R"("{\"name\": \"f\", \"arguments\": {\"x\": 1}}")";
  expect_messages({
      {opening + one + ending, expected(call)},
      {opening + one + R"(, "tool_calls": null)" + ending, expected(call)},
      {opening +
           R"("[{\"name\": \"f\", \"arguments\": {\"x\": 1}}, {\"name\": \"f\", \"arguments\": {\"x\": 1}}]")" +
           ending,
       expected(call + "," + call)},
  });
  const std::string place = "field 'conversations[1].value' ";
  expect_errors({
      {opening + R"("f 1")" + ending,
       place + R"(does not hold valid JSON: syntax error while parsing value - invalid literal near "f 1")"},
      {opening + R"("[]")" + ending, place + "must not be an empty list"},
      {opening + R"("{\"name\": \"f\"}")" + ending, place + "is not a call of a function"},
      {opening + R"("[1]")" + ending, place + "is not a call of a function"},
      {opening + "3" + ending, place + "must be a string, found the number 3"},
  });
}

TEST(Sample, ResponseIsTheLastContent) {
  const Sample sample =
      sample_from_record(parsed(R"({"prompt": "q", "completion": " int x;\n"})"), "d.jsonl:7");
  EXPECT_EQ(sample.response(), " int x;\n");
  EXPECT_EQ(sample.place, "d.jsonl:7");
  EXPECT_EQ(sample.weight, 1.0);
  EXPECT_TRUE(sample.tools.is_null());
}

TEST(Sample, ToolsAreAListOrItsText) {
  const std::pair<std::string, std::string> cases[] = {{R"([{"name": "f"}])", R"([{"name":"f"}])"},
                                                       {R"("[{\"name\": \"f\"}]")", R"([{"name":"f"}])"},
                                                       {"[]", "null"},
                                                       {R"("")", "null"},
                                                       {R"("[]")", "null"},
                                                       {R"("null")", "null"},
                                                       {"null", "null"}};
  for (const auto& [tools, expected] : cases) {
    const base::Json record = parsed(R"({"prompt": "q", "response": "a", "tools": )" + tools + "}");
    EXPECT_EQ(base::to_json_line(sample_from_record(record, "d.jsonl:7").tools), expected) << tools;
  }
  const std::string opening = R"({"prompt": "q", "response": "a", "tools": )";
  expect_errors({
      {opening + "{}}", "field 'tools' must be a list of objects"},
      {opening + "[1]}", "field 'tools' must be a list of objects"},
      {opening + R"("[1]"})", "field 'tools' must be a list of objects"},
      {opening + R"("["})",
       R"(field 'tools' does not hold valid JSON: syntax error while parsing value - unexpected end of input; expected '[', '{', or a )"
       R"(literal near "[")"},
  });
}

TEST(Sample, WeightIsFiniteAndNotNegative) {
  const auto record = [](const base::Json& weight) {
    return base::Json{{"prompt", "q"}, {"response", "a"}, {"weight", weight}};
  };
  for (const double weight : {0.0, 0.5, 1.0, 1e300}) {
    EXPECT_EQ(sample_from_record(record(weight), "d.jsonl:7").weight, weight);
  }
  EXPECT_EQ(sample_from_record(record(3), "d.jsonl:7").weight, 3.0);
  EXPECT_EQ(sample_from_record(record(nullptr), "d.jsonl:7").weight, 1.0);
  const std::string start = "d.jsonl:7: field 'weight' must be ";
  EXPECT_EQ(error_of(record(-1)), start + "a finite number of 0 or more, found the number -1");
  EXPECT_EQ(error_of(record(std::numeric_limits<double>::infinity())),
            start + "a finite number of 0 or more, found the number inf");
  EXPECT_EQ(error_of(record(std::numeric_limits<double>::quiet_NaN())),
            start + "a finite number of 0 or more, found the number nan");
  EXPECT_EQ(error_of(record(true)), start + "a number, found true");
  EXPECT_EQ(error_of(record("1")), start + "a number, found the string \"1\"");
}

TEST(Sample, ErrorsNameTheKey) {
  expect_errors({
      {R"({"messages": {}})", "field 'messages' must be a list of messages, found an object"},
      {R"({"messages": []})", "field 'messages' must not be an empty list"},
      {R"({"messages": ["q"]})", "field 'messages[0]' must be an object, found the string \"q\""},
      {R"({"messages": [null]})", "field 'messages[0]' must be an object, found null"},
      {R"({"messages": [{"content": "q"}]})", "field 'messages[0].role' is missing; it must be a string"},
      {R"({"messages": [{"role": 3}]})", "field 'messages[0].role' must be a string, found the number 3"},
      {R"({"messages": [{"role": "asistant", "content": "a"}]})",
       R"(field 'messages[0].role' must be a role, found the string "asistant"; did you mean 'assistant'?)"},
      {R"({"messages": [{"role": "\u0007", "content": "a"}]})",
       R"(field 'messages[0].role' must be a role, found the string "\x07")"},
      {R"({"messages": [{"role": "user"}]})", "field 'messages[0].content' is missing; it must be a string"},
      {R"({"messages": [{"role": "user", "content": null, "tool_calls": [{}]}]})",
       "field 'messages[0].content' must be a string, found null"},
      {R"({"messages": [{"role": "user", "content": {}}]})",
       "field 'messages[0].content' must be a string, found an object"},
      {R"({"messages": [{"role": "user", "content": ["q"]}]})",
       "field 'messages[0].content[0]' must be an object, found the string \"q\""},
      {R"({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]})",
       R"(field 'messages[0].content[0].type' must be "text", found the string "image_url")"},
      {R"({"messages": [{"role": "user", "content": [{"type": "text"}]}]})",
       "field 'messages[0].content[0].text' is missing; it must be a string"},
      {R"({"conversations": [{"from": "humn", "value": "q"}]})",
       R"(field 'conversations[0].from' must be a speaker, found the string "humn"; did you mean 'human'?)"},
      {R"({"conversations": [{"from": "human"}]})",
       "field 'conversations[0].value' is missing; it must be a string"},
      {R"({"prompt": 1, "completion": "a"})", "field 'prompt' must be a string, found the number 1"},
      {R"({"prompt": "q", "response": {}})", "field 'response' must be a string, found an object"},
      {R"({"prompt": "q", "completion": []})", "field 'completion' must not be an empty list"},
      {R"({"prompt": "q", "completion": "a", "system": 1})",
       "field 'system' must be a string, found the number 1"},
      {R"({"instruction": "q", "input": 1, "output": "a"})",
       "field 'input' must be a string, found the number 1"},
      {R"({"instruction": "q", "output": ["a"]})", "field 'output' must be a string, found a list"},
      {R"({"instruction": "q", "output": "a", "history": "h"})",
       "field 'history' must be a list, found the string \"h\""},
      {R"({"instruction": "q", "output": "a", "history": [["h"]]})",
       "field 'history[0]' must be a list of two strings, found a list"},
      {R"({"instruction": "q", "output": "a", "history": [["h", 1]]})",
       "field 'history[0][1]' must be a string, found the number 1"},
  });
}

TEST(Sample, ConversationsEndWithTheAssistantsText) {
  expect_errors({
      {R"({"messages": [{"role": "user", "content": "q"}]})",
       R"(field 'messages' ends with the role "user", not with the assistant)"},
      {R"({"prompt": "q", "completion": [{"role": "tool", "content": "q"}]})",
       R"(field 'completion' ends with the role "tool", not with the assistant)"},
      {R"({"messages": [{"role": "assistant", "content": "a"}]})",
       "field 'messages' has nothing before the response"},
      {R"({"messages": [{"role": "user", "content": "q"},
                        {"role": "assistant", "content": "a", "tool_calls": [{"id": 1}]}]})",
       "field 'messages' ends with a call of a tool"},
      {R"({"conversations": [{"from": "human", "value": "q"},
                             {"from": "function_call", "value": "{\"name\": \"f\", \"arguments\": {}}"}]})",
       "field 'conversations' ends with a call of a tool"},
      {R"({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"},
                        {"role": "assistant", "content": "a"}], "system": "t"})",
       "field 'system' differs from the system message that opens the conversation"},
  });
}

TEST(Sample, PreferencesAreRefusedByName) {
  const auto complaint = [](const base::Json& record) -> std::string {
    try {
      sample_from_record(record, "d.jsonl:1");
    } catch (const base::Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const base::Json talk = {{{"role", "user"}, {"content", "q"}}, {{"role", "assistant"}, {"content", "a"}}};
  EXPECT_EQ(complaint({{"messages", talk}, {"label", false}}),
            "d.jsonl:1: preference data (\"label\" is true or false), which is for KTO, is not supported");
  EXPECT_EQ(complaint({{"prompt", "q"}, {"chosen", "a"}, {"rejected", "b"}}),
            "d.jsonl:1: preference data (\"chosen\"), which is for DPO and reward models, is not supported");
  EXPECT_EQ(
      complaint({{"chosen_messages", talk}, {"rejected_messages", talk}}),
      "d.jsonl:1: preference data (\"chosen_messages\"), which is for DPO and reward models, is not supported");
  EXPECT_EQ(complaint({{"messages", talk}, {"label", "spam"}}), "accepted") << "somebody's own key";
}

TEST(Sample, PartsMayHoldValues) {
  const base::Json record = {
      {"messages",
       {{{"role", "user"}, {"content", {{{"type", "text"}, {"value", "q"}}}}},
        {{"role", "assistant"},
         {"content", {{{"type", "tool_call"}, {"value", R"({"name": "f", "arguments": {"x": 1}})"}}}}},
        {{"role", "tool"}, {"content", {{{"type", "text"}, {"value", "7"}}}}},
        {{"role", "assistant"},
         {"content",
          {{{"type", "reasoning"}, {"value", "so"}}, {{"type", "text"}, {"value", "it is 7"}}}}}}}};
  const Sample sample = sample_from_record(record, "d.jsonl:1");
  EXPECT_EQ(sample.messages[0]["content"], "q");
  EXPECT_EQ(sample.messages[1]["tool_calls"][0]["function"]["name"], "f");
  EXPECT_EQ(sample.response(), "<think>\nso\n</think>\n\nit is 7");
}

}  // namespace
}  // namespace cuset::data
