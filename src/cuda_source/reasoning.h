// Reasoning in front of, or between, the parts of an answer: <think>...</think> and its relatives.
//
// An opening tag counts where it starts a line. Its reasoning ends at the next closing tag of the same kind,
// or, without one, at the end of the text. A closing tag without an opening one means that the chat template
// had already opened the reasoning: everything before it is reasoning.
#pragma once

#include <string_view>
#include <vector>

#include "base/byte_span.h"

namespace cuset::cuda_source {

struct Reasoning {
  std::vector<base::ByteSpan> reasoning;  // with its tags
  std::vector<base::ByteSpan> answer;     // the rest, empty stretches left out
  bool unfinished = false;                // reasoning that the text's end cut off
};

Reasoning split_reasoning(std::string_view text);

}  // namespace cuset::cuda_source
