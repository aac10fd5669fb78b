// StreamingDecoder. Under ByteLevel each token is a few bytes, and only the beginning of a character waits.
// Other decoders look at several tokens at once, so a window is decoded with and without the new ones, and
// the difference is the new text.
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/tokenizer_parts.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

// Tokens that may wait for a character to become whole; broken text is given out after that.
constexpr size_t kMostHeldBack = 16;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace

StreamingDecoder::StreamingDecoder(const Tokenizer& tokenizer, bool skip_special)
    : tokenizer_(&tokenizer), skip_special_(skip_special) {}

std::string StreamingDecoder::push(uint32_t id) {
  tokenizer_->check_id(id);
  if (skip_special_ && tokenizer_->is_special(id)) return "";
  const TokenizerParts& parts = *tokenizer_->parts_;
  if (!parts.decoder.byte_level) {
    window_.push_back(id);
    return push_window(false);
  }
  pending_ += byte_level_text(parts.token_name(id), parts.is_literal(id));
  std::string text;
  move_complete_utf8(pending_, text);
  return text;
}

std::string StreamingDecoder::push_window(bool last) {
  const std::string before = tokenizer_->decode(std::span(window_).first(given_));
  const std::string after = tokenizer_->decode(window_);
  const bool broken = after.size() >= kReplacement.size() &&
                      after.compare(after.size() - kReplacement.size(), std::string::npos, kReplacement) == 0;
  const bool waits = after.size() <= before.size() || (broken && window_.size() - given_ < kMostHeldBack);
  if (waits && !last) return "";
  window_.erase(window_.begin(), window_.begin() + static_cast<ptrdiff_t>(given_));
  given_ = window_.size();
  return after.size() > before.size() ? after.substr(before.size()) : "";
}

std::string StreamingDecoder::finish() {
  std::string text;
  if (!pending_.empty()) text = kReplacement;
  if (!window_.empty()) text += push_window(true);
  pending_.clear();
  window_.clear();
  given_ = 0;
  return text;
}

}  // namespace cuset::text
