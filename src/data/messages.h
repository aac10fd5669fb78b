// The messages of a conversation, from the two ways of writing them to one:
//   {"role": "user", "content": text or [{"type": "text", "text": text}, ...], ...}   OpenAI, Hugging Face
//   {"from": "human", "value": text, ...}                                            ShareGPT
// LLaMA-Factory's v1 writes "value" for "text" in a part, and has parts of the types "reasoning" and "tool_call".
// They become {"role", "content", ...} with role system, user, assistant or tool and a string as content. Other
// keys follow unchanged. A ShareGPT turn from "function_call" becomes an assistant's message with
// "tool_calls".
#pragma once

#include <string>
#include <string_view>

#include "base/json/json_cursor.h"

namespace cuset::data {

base::Json make_message(std::string_view role, std::string content);

// Reads a list of messages and appends them to `messages`. Throws Error naming the key at fault: no list, an
// empty one, an unknown role, a content that is not text.
void append_messages(const base::JsonCursor& list, base::Json& messages);

// Whether "tool_calls" is a list that is not empty.
bool calls_tools(const base::Json& message);

}  // namespace cuset::data
