// Reads a tokenizer.json into its parts.
//
// A vocabulary and its merges are most of such a file (6 MB of names), so they go straight into flat arrays
// as the parser meets them; the rest is small and becomes a JSON document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "text/tokenizer/vocabulary.h"

namespace cuset::text {

struct TokenizerFile {
  // A merge "left right", as the bytes [begin, middle) and [middle, end) of merge_names.
  struct MergeNames {
    size_t begin, middle, end;
  };
  base::Json document;          // everything but model.vocab and model.merges
  bool has_vocabulary = false;  // model.vocab is there and is an object
  VocabularyEntries vocabulary;
  std::string merge_names;
  std::vector<MergeNames> merges;
};

// `name` (the file) opens the message of the Error thrown for what is not a tokenizer file.
TokenizerFile parse_tokenizer_file(std::string_view text, const std::string& name);

}  // namespace cuset::text
