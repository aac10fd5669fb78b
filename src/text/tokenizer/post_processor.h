// The "post_processor" section of a tokenizer file: what is added around a single text, and whether token
// spans leave out the white space at their ends.
//
// Read: TemplateProcessing (its "single" template), ByteLevel, Sequence, null. Others are refused by name.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json/json_cursor.h"

namespace cuset::text {

struct PostProcessor {
  std::vector<uint32_t> before, after;  // token ids
  bool trims_spans = false;
  bool keeps_first_space = false;  // when trimming: a single space before the first token may be our own
};

PostProcessor read_post_processor(const base::JsonCursor& section);

}  // namespace cuset::text
