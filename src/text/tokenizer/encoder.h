// One text on its way to tokens: added tokens, normalizer, added tokens again, pre-tokenizer, BPE,
// post-processor. Internal to the module.
#pragma once

#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/tokenizer_parts.h"

namespace cuset::text {

// Borrows everything it is given for one call of run().
class Encoder {
 public:
  Encoder(const TokenizerParts& parts, const EncodeOptions& options, EncodeScratch& scratch)
      : parts_(parts), options_(options), scratch_(scratch) {}

  // `text` is valid UTF-8.
  Encoding run(std::string_view text);

 private:
  bool accepts(const AddedMatch& match, TokenSpan place) const;
  void encode_raw(size_t begin, size_t end);
  void encode_normalized(const AlignedText& text);
  void encode_words(const AlignedText& text, size_t begin, size_t end);
  void put(uint32_t id, TokenSpan span);
  void trim_spans();
  void add_around();

  const TokenizerParts& parts_;
  const EncodeOptions& options_;
  EncodeScratch& scratch_;
  std::string_view text_;
  Encoding out_;
};

}  // namespace cuset::text
