#include "base/net/chat_reply.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

ChatReply reply_of(std::string_view body) {
  auto parsed = parse_chat_reply(body);
  EXPECT_TRUE(std::holds_alternative<ChatReply>(parsed)) << std::get<std::string>(parsed);
  return std::get<ChatReply>(parsed);
}

TEST(ChatReply, TextReasoningAndTokensAreRead) {
  const ChatReply reply = reply_of(
      R"({"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": "code",
          "reasoning_content": "first"}, "finish_reason": "stop"}],
          "usage": {"prompt_tokens": 5, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 4}}})");
  EXPECT_EQ(reply.text, "<think>\nfirst\n</think>\n\ncode");
  EXPECT_EQ(reply.finish, "stop");
  EXPECT_EQ(reply.prompt_tokens, 5);
  EXPECT_EQ(reply.completion_tokens, 9);
  EXPECT_EQ(reply.reasoning_tokens, 4);
}

TEST(ChatReply, WhatIsNotToldIsUnknown) {
  const ChatReply reply = reply_of(R"({"choices": [{"message": {"content": null, "reasoning": "r"}}]})");
  EXPECT_EQ(reply.text, "<think>\nr\n</think>\n\n");
  EXPECT_EQ(reply.finish, "");
  EXPECT_EQ(reply.completion_tokens, -1);
}

TEST(ChatReply, FaultsAreToldInOneLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not valid JSON at byte 0"},
      {R"({"choices": [{"message": {"content": "half)", "not valid JSON at byte"},
      {"<html>busy</html>", "not valid JSON at byte 0"},
      {"[]", "the reply"},
      {R"({"choices": []})", "the reply: field 'choices' has no element"},
      {R"({"choices": [{"message": "x"}]})", "the reply: field 'choices[0].message' must be"},
      {R"({"choices": [{"message": {"content": 3}}]})",
       "the reply: field 'choices[0].message.content' must be"},
      {R"({"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": -4}})",
       "the reply: field 'usage.prompt_tokens'"},
  };
  for (const auto& [body, message] : cases) {
    const auto parsed = parse_chat_reply(body);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << body;
    EXPECT_TRUE(std::get<std::string>(parsed).starts_with(message)) << std::get<std::string>(parsed);
  }
}

TEST(ChatReply, AnErrorSaysWhatItSays) {
  EXPECT_EQ(error_in_reply(R"({"error": {"message": "no such model", "code": 404}})"), "\"no such model\"");
  EXPECT_EQ(error_in_reply(R"({"error": "busy"})"), "\"busy\"");
  EXPECT_EQ(error_in_reply("<html>\n"), "\"<html>\\n\"");
}

}  // namespace
}  // namespace cuset::base
