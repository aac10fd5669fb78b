#include "base/net/chat_reply.h"

#include "base/error.h"
#include "base/json/json_cursor.h"

namespace cuset::base {
namespace {

constexpr size_t kShownBytes = 200;
constexpr int64_t kMostTokens = int64_t{1} << 40;

int64_t count_in(const JsonCursor& fields, std::string_view key) {
  return fields.get(key).integer_or(-1, 0, kMostTokens);
}

ChatReply reply_from(const JsonCursor& top) {
  const std::vector<JsonCursor> choices = top.at("choices").elements();
  if (choices.empty()) top.at("choices").refuse("has no element");
  const JsonCursor message = choices[0].at("message");
  message.expect_object();
  ChatReply reply;
  reply.text = message.get("content").string_or("");
  std::string reasoning = message.get("reasoning_content").string_or("");
  if (reasoning.empty()) reasoning = message.get("reasoning").string_or("");
  if (!reasoning.empty()) reply.text = "<think>\n" + reasoning + "\n</think>\n\n" + reply.text;
  reply.finish = choices[0].get("finish_reason").string_or("");
  const JsonCursor usage = top.get("usage");
  if (usage.is_absent()) return reply;
  reply.prompt_tokens = count_in(usage, "prompt_tokens");
  reply.completion_tokens = count_in(usage, "completion_tokens");
  const JsonCursor details = usage.get("completion_tokens_details");
  if (!details.is_absent()) reply.reasoning_tokens = count_in(details, "reasoning_tokens");
  return reply;
}

}  // namespace

std::variant<ChatReply, std::string> parse_chat_reply(std::string_view body) {
  const auto parsed = try_parse_json(body);
  if (const auto* fault = std::get_if<JsonFault>(&parsed))
    return fmt::format("not valid JSON at byte {}: {}", fault->position, fault->reason);
  try {
    return reply_from(JsonCursor(std::get<Json>(parsed), "the reply"));
  } catch (const Error& error) {
    return error.one_line();
  }
}

std::string error_in_reply(std::string_view body) {
  const auto parsed = try_parse_json(body);
  if (const auto* json = std::get_if<Json>(&parsed)) {
    const Json& error = json_member(*json, "error");
    const std::string& message =
        error.is_string() ? error.get_ref<const std::string&>() : json_string(error, "message");
    if (!message.empty()) return in_quotes(message, kShownBytes);
  }
  return in_quotes(body, kShownBytes);
}

}  // namespace cuset::base
