// Small tokenizer documents for tests and fuzz targets: the 256 bytes, some merges, and sections to be
// replaced.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "text/tokenizer.h"

namespace cuset {

using NamePairs = std::vector<std::pair<std::string, std::string>>;

// A byte-level document: ids 0 to 255 are the bytes themselves, then one token for each merge.
Json tiny_document(const NamePairs& merges = {});

// A document whose vocabulary is `names`, without pre-tokeniser, and with merges among them.
Json character_document(const std::vector<std::string>& names, const NamePairs& merges = {});

// Adds an added token that follows the ones there; `flags` are set to true.
void add_token(Json& document, const std::string& content, const std::vector<std::string>& flags = {});

inline Tokenizer tokenizer_from(const Json& document) {
  return Tokenizer::from_json(to_json_line(document), "tiny.json");
}

// "a|b c|d": the texts of the tokens, by their spans.
std::string pieces_of(const Tokenizer& tokenizer, std::string_view text, const EncodeOptions& options = {});

}  // namespace cuset
