// The "decoder" section of a tokenizer file: how tokens become text again.
//
// Read: ByteLevel, ByteFallback, Fuse, Strip, Replace, Sequence, null (tokens joined by spaces, as the
// reference does). Others are refused by name.
//
// Added tokens that are not in the vocabulary are taken literally under ByteLevel. The reference reads them
// as the byte alphabet where it can, so that DeepSeek-Coder's added "ÿ" would come back as the broken byte
// 0xFF; here what was encoded comes back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json_cursor.h"

namespace cuset::text {

// A token's name on its way to text.
struct DecodedToken {
  std::string text;
  bool literal = false;  // an added token
};

class DecoderStep {
 public:
  virtual ~DecoderStep() = default;
  // Rewrites the list of tokens.
  virtual void apply(std::vector<DecodedToken>& tokens) const = 0;
};

struct TokenDecoder {
  std::vector<std::unique_ptr<DecoderStep>> steps;
  bool byte_level = false;  // ByteLevel alone: tokens are bytes, one by one
  bool joins_with_spaces = false;

  // The text of tokens, valid UTF-8: what is not is replaced by U+FFFD.
  std::string decode(std::vector<DecodedToken> tokens) const;
};

TokenDecoder read_decoder(const base::JsonCursor& section);

// The byte that a name stands for under ByteFallback ("<0xE2>").
std::optional<char> fallback_byte(const std::string& name);

// The bytes of one token under ByteLevel: its name read as the byte alphabet, or literally where that fails.
std::string byte_level_text(const std::string& name, bool literal);

}  // namespace cuset::text
