// The body of a reply of POST /chat/completions, as OpenAI defined it and others serve it:
//
//   {"choices": [{"message": {"content": text, "reasoning_content": text}, "finish_reason": "stop"}],
//    "usage": {"prompt_tokens": n, "completion_tokens": n, "completion_tokens_details": {"reasoning_tokens": n}}}
//
// Reasoning comes as `reasoning_content` (DeepSeek, vLLM, SGLang) or `reasoning` (OpenRouter, newer vLLM), or inside the
// content between <think> tags.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace cuset::base {

struct ChatReply {
  std::string text;            // the reasoning in <think> tags, then the content
  std::string finish;          // "stop", "length", "content_filter"; empty: not told
  int64_t prompt_tokens = -1;  // -1: not told
  int64_t completion_tokens = -1;
  int64_t reasoning_tokens = -1;
};

// The reply, or what is wrong with it in one line. Any bytes are accepted.
std::variant<ChatReply, std::string> parse_chat_reply(std::string_view body);

// What an error's body says: its `error.message`, or its beginning; one printable line of at most 200 bytes.
std::string error_in_reply(std::string_view body);

}  // namespace cuset::base
