#include "serve/openai/completion_request.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace cuset::serve {
namespace {

CompletionRequest chat(const std::string& fields) {
  return completion_request_from_json(
      base::parse_json(R"({"messages": [{"role": "user", "content": "hi"}])" + fields + "}", "test"),
      CompletionKind::kChat);
}

CompletionRequest plain(const std::string& fields) {
  return completion_request_from_json(base::parse_json("{" + fields + "}", "test"), CompletionKind::kPlain);
}

TEST(CompletionRequest, DefaultsAreOpenAis) {
  const CompletionRequest request = chat("");
  EXPECT_EQ(request.settings.sampling.temperature, 1);
  EXPECT_EQ(request.settings.sampling.top_p, 1);
  EXPECT_EQ(request.samples, 1);
  EXPECT_FALSE(request.has_length);
  EXPECT_FALSE(request.stream);
  EXPECT_FALSE(request.seed);
  EXPECT_EQ(plain(R"("prompt": "a")").settings.max_new_tokens, 16);
}

TEST(CompletionRequest, FieldsAreRead) {
  const CompletionRequest request = chat(
      R"(, "temperature": 0.5, "top_p": 0.9, "top_k": -1, "min_p": 0.1, "max_completion_tokens": 7, "stop": "\n", "seed": 3,
        "n": 2, "stream": true, "stream_options": {"include_usage": true}, "logprobs": true, "top_logprobs": 4, "user": "me",
        "presence_penalty": 0.0, "response_format": {"type": "text"}, "tools": [], "task": "scan", "return_token_ids": true)");
  EXPECT_EQ(request.settings.sampling,
            (generate::SamplingSettings{.temperature = 0.5, .top_k = 0, .top_p = 0.9, .min_p = 0.1}));
  EXPECT_EQ(request.settings.max_new_tokens, 7);
  EXPECT_EQ(request.settings.stop_strings, std::vector<std::string>{"\n"});
  EXPECT_EQ(request.settings.top_tokens, 4);
  EXPECT_TRUE(request.settings.keep_tokens && request.log_probabilities && request.include_usage);
  EXPECT_EQ(request.seed, 3);
  EXPECT_EQ(request.samples, 2);
  EXPECT_EQ(request.task, "scan");
  EXPECT_TRUE(request.return_tokens);
}

TEST(CompletionRequest, MessagesMayHaveParts) {
  const base::Json body = base::parse_json(
      R"({"messages": [{"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]})",
      "test");
  const CompletionRequest request = completion_request_from_json(body, CompletionKind::kChat);
  EXPECT_EQ(request.messages[0]["role"], "system");
  EXPECT_EQ(request.messages[0]["content"], "ab");
}

TEST(CompletionRequest, WhatOtherClientsSendByThemselvesIsTaken) {
  EXPECT_FALSE(chat(R"(, "seed": -1)").seed);
  for (const char* fields :
       {R"(, "skip_special_tokens": true)", R"(, "tool_choice": "auto")", R"(, "tool_choice": "none")",
        R"(, "prediction": null)", R"(, "service_tier": "flex")", R"(, "min_tokens": 0)",
        R"(, "prompt_cache_key": "k")",
        R"(, "stream": true, "stream_options": {"continuous_usage_stats": false})"})
    EXPECT_NO_THROW(chat(fields)) << fields;
  EXPECT_FALSE(chat(R"(, "max_tokens": -1)").has_length);
  EXPECT_FALSE(plain(R"("prompt": "a", "max_tokens": -1)").has_length) << "not OpenAI's 16";
  const base::Json body = base::parse_json(
      R"({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": null, "tool_calls": []}]})",
      "test");
  EXPECT_EQ(completion_request_from_json(body, CompletionKind::kChat).messages[1]["content"], "");
}

TEST(CompletionRequest, UsageInEveryChunkIsAskedForTwice) {
  const auto with = [](const std::string& options) {
    return chat(R"(, "stream": true, "stream_options": )" + options);
  };
  EXPECT_TRUE(with(R"({"include_usage": true, "continuous_usage_stats": true})").usage_in_chunks);
  EXPECT_FALSE(with(R"({"include_usage": true})").usage_in_chunks);
  EXPECT_FALSE(with(R"({"continuous_usage_stats": true})").usage_in_chunks) << "as vLLM has it";
}

TEST(CompletionRequest, WhatTheSamplerDoesIsRead) {
  const CompletionRequest request = chat(
      R"(, "presence_penalty": 0.5, "frequency_penalty": -2, "logit_bias": {"7": -100, "3": 2.5}, "min_tokens": 4,
        "ignore_eos": true, "stop_token_ids": [9, 8, 9], "n": 2, "best_of": 5)");
  EXPECT_EQ(request.settings.sampling.presence_penalty, 0.5);
  EXPECT_EQ(request.settings.sampling.frequency_penalty, -2);
  EXPECT_EQ(request.settings.logit_bias, (std::vector<generate::TokenBias>{{3, 2.5F}, {7, -100}}));
  EXPECT_EQ(request.settings.min_new_tokens, 4);
  EXPECT_TRUE(request.settings.ignores_end_tokens);
  EXPECT_EQ(request.settings.stop_tokens, (std::vector<int64_t>{8, 9}));
  EXPECT_EQ(request.samples, 2);
  EXPECT_EQ(request.best_of, 5);
  EXPECT_TRUE(request.settings.keep_tokens) << "the best are found by their log-probabilities";
}

TEST(CompletionRequest, EchoedPromptsAreScoredWhereLogProbabilitiesAreWanted) {
  EXPECT_FALSE(plain(R"("prompt": "a", "echo": true)").settings.score_prompt);
  const CompletionRequest scored = plain(R"("prompt": "a", "echo": true, "logprobs": 2, "max_tokens": 1)");
  EXPECT_TRUE(scored.settings.score_prompt && scored.log_probabilities);
  EXPECT_EQ(scored.settings.top_tokens, 2);
  const CompletionRequest nothing = plain(R"("prompt": "a", "echo": true, "max_tokens": 0)");
  EXPECT_TRUE(nothing.settings.score_prompt && nothing.has_length);
  EXPECT_EQ(nothing.settings.max_new_tokens, 0);
}

TEST(CompletionRequest, LongListsAreRefused) {
  const auto list_of = [](size_t count, const std::string& element) {
    std::string list = "[" + element;
    for (size_t i = 1; i < count; ++i) list += "," + element;
    return list + "]";
  };
  EXPECT_EQ(plain(R"("prompt": )" + list_of(1024, R"("a")")).prompts.size(), 1024U);
  EXPECT_NE(support::error_of([&] {
              plain(R"("prompt": )" + list_of(1025, R"("a")"));
            }).find("more than 1024 prompts"),
            std::string::npos);
  EXPECT_NE(support::error_of([&] {
              plain(R"("prompt": )" + list_of((1 << 20) + 1, "5"));
            }).find("more than 1048576 tokens"),
            std::string::npos);
  const std::string many = list_of((1 << 14) + 1, R"({"role":"user","content":""})");
  EXPECT_NE(support::error_of([&] {
              completion_request_from_json(base::parse_json(R"({"messages": )" + many + "}", "test"),
                                           CompletionKind::kChat);
            }).find("more than 16384 messages"),
            std::string::npos);
  std::string fields;
  for (int i = 0; i < 1024; ++i) fields += fmt::format(R"(, "f{}": null)", i);
  EXPECT_NE(support::error_of([&] { chat(fields); }).find("more than 1024 fields"), std::string::npos);
}

TEST(CompletionRequest, PromptsAreTextsOrTokens) {
  EXPECT_EQ(std::get<std::string>(plain(R"("prompt": "a")").prompts.at(0)), "a");
  EXPECT_EQ(plain(R"("prompt": ["a", "b"])").prompts.size(), 2U);
  EXPECT_EQ(std::get<1>(plain(R"("prompt": [3, 4])").prompts.at(0)), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(std::get<1>(plain(R"("prompt": [[3], [4, 5]])").prompts.at(1)), (std::vector<int64_t>{4, 5}));
}

struct Refused {
  std::string fields;
  std::string message;
};

TEST(CompletionRequest, WhatIsWrongOrMissingIsNamed) {
  const std::vector<Refused> cases = {
      {R"(, "frequency_penalty": 2.5)", "frequency_penalty is 2.5, but must be in -2 to 2"},
      {R"(, "presence_penalty": "much")", "request: field 'presence_penalty' must be a number"},
      {R"(, "repetition_penalty": 1e-30)", "repetition_penalty is 1e-30, but must be in 0.0001 to 1000000"},
      {R"(, "logit_bias": {"5": 101})", "must be in -100 to 100"},
      {R"(, "logit_bias": {"five": 1})",
       "request: field 'logit_bias' names \"five\", which is not the id of a token"},
      {R"(, "logit_bias": {"-5": 1})", "request: field 'logit_bias' names"},
      {R"(, "logit_bias": [5])", "request: field 'logit_bias' must be"},
      {R"(, "stop_token_ids": [-1])", "request: field 'stop_token_ids[0]'"},
      {R"(, "stop_token_ids": 5)", "request: field 'stop_token_ids' must be"},
      {R"(, "n": 2, "best_of": 1)", "request: field 'best_of' is less than n"},
      {R"(, "best_of": 2, "stream": true)", "request: field 'best_of' cannot be streamed"},
      {R"(, "response_format": {"type": "json_object"})",
       "request: field 'response_format' is not supported"},
      {R"(, "tool_choice": "required")", "request: field 'tool_choice' is not supported"},
      {R"(, "min_tokens": 5, "max_tokens": 4)", "request: field 'min_tokens' is more than max_tokens"},
      {R"(, "temprature": 1)", "temperature"},
      {R"(, "temperature": "hot")", "request: field 'temperature' must be a number"},
      {R"(, "temperature": -1)", "temperature is -1, but must be 0 or above"},
      {R"(, "top_p": 0)", "top_p is 0, but must be above 0 and at most 1"},
      {R"(, "n": 0)", "request: field 'n'"},
      {R"(, "max_tokens": 0)", "request: field 'max_tokens'"},
      {R"(, "top_logprobs": 3)", "request: field 'top_logprobs' needs logprobs: true"},
      {R"(, "stop": [""])", "request: field 'stop' is an empty text"},
      {R"(, "stream_options": {})", "request: field 'stream_options' needs stream: true"},
      {R"(, "prompt": "x")", "request: field 'prompt' belongs to /v1/completions"},
  };
  for (const Refused& refused : cases) {
    const std::string message = support::error_of([&] { chat(refused.fields); });
    EXPECT_NE(message.find(refused.message), std::string::npos) << refused.fields << " -> " << message;
  }
  for (const char* fields :
       {R"("prompt": [])", R"("prompt": ["a", 1])", R"("prompt": [1, "a"])", R"("prompt": {})",
        R"("prompt": [[]])", R"("model": "m")", R"("prompt": [1.5])", R"("prompt": "a", "max_tokens": 0)"}) {
    EXPECT_NE(support::error_of([&] { plain(fields); }), "no error") << fields;
  }
  const auto stop_of = [](size_t bytes) { return R"(, "stop": ")" + std::string(bytes, 'x') + '"'; };
  EXPECT_EQ(support::error_of([&] { chat(stop_of(4096)); }), "no error");
  EXPECT_NE(support::error_of([&] { chat(stop_of(4097)); }).find("text of more than 4096 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace cuset::serve
