#include "serve/openai/completion_reply.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/tiny_tokenizer.h"

namespace cuset::serve {
namespace {

text::Tokenizer tiny() {
  return text::Tokenizer::from_json(base::to_json_line(support::tiny_document({{"a", "b"}})), "tiny");
}

CompletionHead head_of(CompletionKind kind) {
  CompletionHead head;
  head.kind = kind;
  head.id = "x-1";
  head.created = 5;
  head.model = "m";
  return head;
}

generate::SampledToken sampled(char c) {
  generate::SampledToken token;
  token.id = static_cast<unsigned char>(c);
  token.log_probability = -0.5F;
  token.top = {{token.id, -0.5F}};
  return token;
}

TEST(CompletionReply, WholeChat) {
  const CompletionChoice choice{.text = "hi", .finish = "stop", .tokens = {}};
  EXPECT_EQ(
      base::to_json_line(completion_json(head_of(CompletionKind::kChat), {choice}, {3, 2}, tiny())),
      R"({"id":"x-1","object":"chat.completion","created":5,"model":"m","choices":[{"index":0,"message":)"
      R"({"role":"assistant","content":"hi","refusal":null},"logprobs":null,"finish_reason":"stop"}],)"
      R"("usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})");
}

TEST(CompletionReply, ChunksHoldWhatIsNew) {
  const CompletionHead chat = head_of(CompletionKind::kChat);
  const CompletionChoice text{.text = "hi", .finish = "", .tokens = {}},
      end{.text = "", .finish = "length", .tokens = {}};
  const text::Tokenizer tokenizer = tiny();
  EXPECT_EQ(base::to_json_line(completion_chunk(chat, 1, text, tokenizer)["choices"]),
            R"([{"index":1,"delta":{"content":"hi"},"logprobs":null,"finish_reason":null}])");
  EXPECT_EQ(base::to_json_line(completion_chunk(chat, 0, end, tokenizer)["choices"]),
            R"([{"index":0,"delta":{},"logprobs":null,"finish_reason":"length"}])");
  EXPECT_EQ(
      base::to_json_line(opening_chunk(chat, 0)["choices"]),
      R"([{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}])");
  EXPECT_EQ(usage_chunk(chat, {1, 2})["usage"]["total_tokens"], 3);
  EXPECT_EQ(server_sent_event({{"a", 1}}), "data: {\"a\":1}\n\n");
}

TEST(CompletionReply, LogProbabilitiesHaveTheFormOfTheKind) {
  CompletionHead head = head_of(CompletionKind::kChat);
  head.log_probabilities = head.return_tokens = true;
  const CompletionChoice choice{.text = "z", .finish = "stop", .tokens = {sampled('z')}};
  const text::Tokenizer tokenizer = tiny();
  const std::string letter = tokenizer.decode(std::vector<uint32_t>{'z'});
  const base::Json chat = completion_json(head, {choice}, {1, 1}, tokenizer)["choices"][0];
  EXPECT_EQ(chat["logprobs"]["content"][0]["token"], letter);
  EXPECT_EQ(chat["logprobs"]["content"][0]["logprob"], -0.5);
  EXPECT_EQ(chat["logprobs"]["content"][0]["top_logprobs"].size(), 1U);
  EXPECT_EQ(chat["token_ids"][0], 'z');
  head.kind = CompletionKind::kPlain;
  const base::Json plain = completion_json(head, {choice}, {1, 1}, tokenizer)["choices"][0];
  EXPECT_EQ(plain["text"], "z");
  EXPECT_EQ(plain["logprobs"]["tokens"][0], letter);
  EXPECT_EQ(plain["logprobs"]["token_logprobs"][0], -0.5);
}

// Of "a€b" every byte is a token.
TEST(CompletionReply, PartsOfACharacterHaveBytesAndItsOffset) {
  CompletionHead head = head_of(CompletionKind::kChat);
  head.log_probabilities = true;
  const std::string text = "a\xE2\x82\xAC\x62";
  CompletionChoice choice{.text = text, .finish = "stop", .tokens = {}};
  for (const char c : text) choice.tokens.push_back(sampled(c));
  const base::Json chat =
      completion_json(head, {choice}, {1, 5}, tiny())["choices"][0]["logprobs"]["content"];
  EXPECT_EQ(chat[0]["bytes"], base::Json::array({'a'}));
  EXPECT_EQ(chat[1]["bytes"], base::Json::array({0xE2}));
  EXPECT_EQ(chat[1]["token"], "\xEF\xBF\xBD");
  EXPECT_EQ(chat[3]["top_logprobs"][0]["bytes"], base::Json::array({0xAC}));
  head.kind = CompletionKind::kPlain;
  const base::Json plain = completion_json(head, {choice}, {1, 5}, tiny())["choices"][0]["logprobs"];
  EXPECT_EQ(plain["text_offset"], base::Json::array({0, 1, 1, 1, 2}));
  EXPECT_EQ(plain["tokens"], base::Json::array({"a", "bytes:\\xe2", "bytes:\\x82", "bytes:\\xac", "b"}));
  EXPECT_TRUE(plain["top_logprobs"][2].contains("bytes:\\x82"));
  // A stream continues where the piece before it ended.
  const std::vector<generate::SampledToken> first(choice.tokens.begin(), choice.tokens.begin() + 2),
      rest(choice.tokens.begin() + 2, choice.tokens.end());
  const size_t offset = characters_of(first, tiny());
  EXPECT_EQ(log_probabilities_json(CompletionKind::kPlain, rest, tiny(), offset)["text_offset"],
            base::Json::array({1, 1, 2}));
}

TEST(CompletionReply, EchoedTokensComeFirstAndTheFirstHasNoLogProbability) {
  CompletionHead head = head_of(CompletionKind::kPlain);
  head.log_probabilities = head.return_tokens = true;
  generate::SampledToken first = sampled('a'), last = sampled('c');
  first.log_probability = std::numeric_limits<float>::quiet_NaN();
  last.top = {{'d', -0.25F}};
  const CompletionChoice choice{
      .text = "abc", .finish = "length", .tokens = {first, sampled('b'), last}, .echoed = 2};
  const base::Json json = completion_json(head, {choice}, {2, 1}, tiny())["choices"][0];
  EXPECT_EQ(json["logprobs"]["token_logprobs"], base::Json::array({nullptr, -0.5, -0.5}));
  EXPECT_EQ(json["logprobs"]["top_logprobs"][0], nullptr);
  EXPECT_EQ(json["logprobs"]["top_logprobs"][2].size(), 2U) << "the token itself is added";
  EXPECT_EQ(json["logprobs"]["text_offset"], base::Json::array({0, 1, 2}));
  EXPECT_EQ(json["token_ids"], base::Json::array({'c'}));
}

}  // namespace
}  // namespace cuset::serve
