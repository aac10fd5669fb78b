// Any bytes as text for a byte-level tokenizer: an Error exactly for invalid UTF-8; else spans that cover the
// text in order, and decoding gives the text back, in one go and token by token.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "support/tiny_tokenizer.h"
#include "text/unicode/utf8.h"

namespace {

using cuset::base::Json;

const cuset::text::Tokenizer& tokenizer() {
  static const cuset::text::Tokenizer made = [] {
    Json document = cuset::support::tiny_document({{"Ġ", "Ġ"},
                                                   {"a", "a"},
                                                   {"aa", "aa"},
                                                   {"i", "n"},
                                                   {"in", "t"},
                                                   {"Ã", "©"},
                                                   {"ĠĠ", "ĠĠ"},
                                                   {"=", "="}});
    const Json split = {{"type", "Split"},
                        {"pattern",
                         {{"Regex",
                           "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
                           "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
                           "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}}},
                        {"behavior", "Isolated"},
                        {"invert", false}};
    document["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", {split, document["pre_tokenizer"]}}};
    cuset::support::add_token(document, "<s>", {"special"});
    cuset::support::add_token(document, "int", {"single_word"});
    cuset::support::add_token(document, "ü!", {"normalized"});
    return cuset::support::tokenizer_from(document);
  }();
  return made;
}

void check(std::string_view text, const cuset::text::EncodeOptions& options) {
  const cuset::text::Encoding encoding = tokenizer().encode(text, options);
  uint32_t covered = 0;
  for (const auto& [begin, end] : encoding.spans) {
    if (begin > covered || end < covered || begin >= end) std::abort();
    covered = end;
  }
  if (covered != text.size()) std::abort();
  if (tokenizer().decode(encoding.ids) != text) std::abort();
  cuset::text::StreamingDecoder decoder(tokenizer(), false);
  std::string streamed;
  for (const uint32_t id : encoding.ids) streamed += decoder.push(id);
  if (streamed + decoder.finish() != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool valid = cuset::text::find_invalid_utf8(text) == std::string_view::npos;
  try {
    check(text, {cuset::text::SpecialTokens::Parse, true});
    check(text, {cuset::text::SpecialTokens::PlainText, true});
    if (!valid) std::abort();
  } catch (const cuset::base::Error&) {
    if (valid) std::abort();
  }
  return 0;
}
