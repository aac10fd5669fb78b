// Encoding text in which only certain places are control tokens.
//
// Rendered chats mix what the template wrote, where "<|im_end|>" is a token, with what people wrote, where
// the same letters are only letters. A mark is a place that is a token; everything between marks is encoded
// as plain text, in one stretch whoever wrote its parts, so that the ids are those of the whole text encoded
// at once.
#pragma once

#include <string_view>
#include <vector>

#include "text/chat/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::data {

struct TokenMark {
  size_t begin = 0;  // of the text
  size_t end = 0;
  uint32_t id = 0;
};

// Ids and spans of `text`. Marks are sorted and do not overlap. `opens` lets the tokenizer's post-processor
// put its own token (as a beginning of sequence) in front.
text::Encoding encode_marked(const text::Tokenizer& tokenizer, std::string_view text,
                             const std::vector<TokenMark>& marks, bool opens = false);

// The control tokens that stand in `text`, all of which counts as the template's own.
std::vector<TokenMark> find_control_tokens(const text::Tokenizer& tokenizer, std::string_view text);

// Tags that an assistant writes as tokens of its own where the vocabulary has them: <think>, </think>,
// <tool_call>,
// </tool_call>. Other control tokens in its text stay letters.
std::vector<TokenMark> find_assistant_tags(const text::Tokenizer& tokenizer, std::string_view text);

// The marks of a rendered chat: control tokens in the template's stretches, assistant's tags in assistants'
// messages.
std::vector<TokenMark> find_marks(const text::Tokenizer& tokenizer, const text::RenderedChat& chat,
                                  const base::Json& messages);

}  // namespace cuset::data
