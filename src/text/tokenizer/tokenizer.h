// A tokenizer read from a Hugging Face tokenizer.json.
//
// Text goes through added tokens, normalizer, pre-tokenizer, BPE and post-processor as the file describes
// them, and gives the same ids as Hugging Face's library. What a file asks for and we do not have is refused
// by name when it is read; docs/tokenizer.md lists what is supported. The sections "truncation" and "padding"
// are not applied: how long a sequence may be is the caller's decision.
//
//   const Tokenizer tokenizer = Tokenizer::from_file("model/tokenizer.json");
//   const Encoding encoding = tokenizer.encode("__global__ void f() {}");
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/added_tokens.h"
#include "text/unicode/aligned_text.h"

namespace cuset::text {

// What to do with control tokens (see added_tokens.h) that stand in the text.
enum class SpecialTokens {
  Parse,      // they become their ids, as in the reference: for text we rendered ourselves
  PlainText,  // they are text like any other: for text that somebody else wrote
  Refuse,     // Error, with the token and its place
};

struct EncodeOptions {
  SpecialTokens special_tokens = SpecialTokens::Parse;
  // What the post-processor adds; off for rendered chats, which hold it already
  bool add_special_tokens = true;
};

// One entry per token. A span is the bytes of the given text that the token stands for: whole characters, so
// that tokens which share a character have the same or overlapping spans. Tokens that the post-processor
// added have [0, 0).
struct Encoding {
  std::vector<uint32_t> ids;
  std::vector<TokenSpan> spans;
};

struct TokenizerParts;

// Immutable. All const members may be called from many threads at once.
class Tokenizer {
 public:
  // Both throw Error, with the file and the place in it, for what is damaged or not supported.
  static Tokenizer from_file(const std::filesystem::path& path);
  static Tokenizer from_json(std::string_view text, const std::string& name);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Throws Error for text that is not valid UTF-8, with the byte, and for text of 4 GiB or more.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;

  // encode() of every text, in order, on `threads` threads (0: all cores).
  std::vector<Encoding> encode_batch(std::span<const std::string_view> texts,
                                     const EncodeOptions& options = {}, unsigned threads = 0) const;

  // The text of tokens, valid UTF-8 (U+FFFD for what is not). Throws Error for an id outside the vocabulary.
  std::string decode(std::span<const uint32_t> ids, bool skip_special = false) const;
  // What one token adds to a text: of a token inside of a character not valid UTF-8. Throws Error as decode() does.
  std::string token_bytes(uint32_t id) const;

  // Vocabulary and added tokens together: ids are 0 to vocab_size() - 1.
  uint32_t vocab_size() const;
  std::optional<uint32_t> token_to_id(std::string_view token) const;
  // The name as in the file ("Ġthe").
  std::optional<std::string> id_to_token(uint32_t id) const;
  bool is_special(uint32_t id) const;
  const std::vector<AddedToken>& added_tokens() const;

 private:
  friend class StreamingDecoder;
  explicit Tokenizer(std::unique_ptr<TokenizerParts> parts);
  // Throws Error for an id outside the vocabulary.
  void check_id(uint32_t id) const;

  std::unique_ptr<TokenizerParts> parts_;
};

// Decodes tokens as they come. The tokenizer must outlive it.
class StreamingDecoder {
 public:
  explicit StreamingDecoder(const Tokenizer& tokenizer, bool skip_special = true);

  // The text that is certain now; the beginning of a character is held back. For a ByteLevel decoder all
  // pieces together are exactly decode() of all tokens.
  std::string push(uint32_t id);

  // What was held back, and a new beginning.
  std::string finish();

 private:
  std::string push_window(bool last);

  const Tokenizer* tokenizer_;
  bool skip_special_;
  std::string pending_;           // ByteLevel: bytes of an unfinished character
  std::vector<uint32_t> window_;  // other decoders: tokens of the last text given out, then those held back
  size_t given_ = 0;              // of window_
};

}  // namespace cuset::text
