// What `cuset tokenize` reads and writes: text on standard input -> one {"ids", "offsets"} per text on
// standard output, and back with --decode. docs/tokenizer.md describes the lines.
#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::cli {

// {"ids": [...], "offsets": [[begin, end], ...]}: offsets are bytes of the text.
base::Json encoding_to_json(const text::Encoding& encoding);

// The ids of {"ids": [...]} or of a bare [...]. Throws Error opening with `place` for anything else.
std::vector<uint32_t> ids_from_json(const base::Json& value, std::string_view place);

// Every line of `in`, without its newline, is one text; an empty line gives empty lists, so that lines
// correspond. Throws Error opening with "stdin:LINE:" for text that the tokenizer refuses.
void tokenize_lines(const text::Tokenizer& tokenizer, const text::EncodeOptions& options, std::istream& in,
                    std::ostream& out);

}  // namespace cuset::cli
