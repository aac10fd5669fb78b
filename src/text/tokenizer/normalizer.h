// The "normalizer" section of a tokenizer file: what happens to text before it is split.
//
// Read: NFC, NFD, NFKC, NFKD, Lowercase, Strip, Prepend, Replace (String or Regex), Sequence, null.
// Others are refused by name.
#pragma once

#include <memory>

#include "base/json/json_cursor.h"
#include "text/unicode/aligned_text.h"

namespace cuset::text {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(AlignedText& text) const = 0;
};

// The normalizer that the section describes, or null for a null section or an empty Sequence.
std::unique_ptr<Normalizer> read_normalizer(const base::JsonCursor& section);

}  // namespace cuset::text
