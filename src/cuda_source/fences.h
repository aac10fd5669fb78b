// Code blocks of Markdown, as models write it.
//
// A fence is a line of three or more backticks or tildes, with any indentation; what follows the opening one
// is its language tag (a backtick fence's tag holds no backtick). The block ends at a fence of the same
// character, at least as long, with nothing after it; so a longer fence may hold shorter ones. Beyond
// CommonMark, for answers:
//   - a block that is still open at the end of the text ends there;
//   - an opening fence with a tag, not indented deeper than the block it stands in, ends that block and
//     starts its own (the closing fence was forgotten);
//   - blocks tagged markdown or md, and blocks without a tag that open with a fence, are looked into, not
//     taken as code;
//   - if the first fence has no tag and the text before it starts like code, the opening fence was part of
//     the prompt: that text is a block.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"

namespace cuset::cuda_source {

struct CodeBlock {
  base::ByteSpan content;  // whole lines between the fences
  std::string tag;         // lower case, first word: "cuda", "cpp", "python", ""
  size_t indent = 0;       // of the opening fence, in bytes
  bool closed = true;
};

// The blocks of `text` in order. Spans refer to `text`.
std::vector<CodeBlock> find_code_blocks(std::string_view text);

// Whether `text` opens like a source file, judged by its first line that is not blank.
bool starts_like_code(std::string_view text);

}  // namespace cuset::cuda_source
