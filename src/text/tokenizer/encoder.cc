#include "text/tokenizer/encoder.h"

#include <algorithm>

#include "base/error.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

constexpr char32_t kAlphabetSpace = 0x120;

// How many characters at the start of a token's name are white space.
size_t leading_spaces(std::string_view name) {
  size_t count = 0;
  for (size_t i = 0; i < name.size(); ++count) {
    const Utf8Char c = decode_utf8(name, i);
    if (c.code != kAlphabetSpace && !is_white_space(c.code)) break;
    i += c.size;
  }
  return count;
}

size_t trailing_spaces(std::string_view name) {
  size_t count = 0;
  for (size_t end = name.size(); end > 0; ++count) {
    size_t start = end - 1;
    while (continues_utf8(name[start])) --start;
    const char32_t code = decode_utf8(name, start).code;
    if (code != kAlphabetSpace && !is_white_space(code)) break;
    end = start;
  }
  return count;
}

uint32_t next_char(std::string_view text, uint32_t position) {
  return position < text.size() ? position + decode_utf8(text, position).size : position;
}

uint32_t previous_char(std::string_view text, uint32_t position) {
  while (position > 0 && continues_utf8(text[--position])) continue;
  return position;
}

}  // namespace

Encoding Encoder::run(std::string_view text) {
  text_ = text;
  out_.ids.reserve(text.size() / 3);  // source code has about this many tokens
  out_.spans.reserve(text.size() / 3);
  size_t done = 0;
  parts_.raw_matcher.for_each(text, parts_.added_tokens, [&](const AddedMatch& match) {
    const TokenSpan place{static_cast<uint32_t>(match.begin), static_cast<uint32_t>(match.end)};
    if (!accepts(match, place)) return false;
    encode_raw(done, match.begin);
    put(parts_.added_tokens[match.index].id, place);
    done = match.end;
    return true;
  });
  encode_raw(done, text.size());
  if (parts_.post_processor.trims_spans) trim_spans();
  if (options_.add_special_tokens) add_around();
  return std::move(out_);
}

bool Encoder::accepts(const AddedMatch& match, TokenSpan place) const {
  if (options_.special_tokens == SpecialTokens::Parse || !parts_.added_is_control[match.index]) return true;
  if (options_.special_tokens == SpecialTokens::PlainText) return false;
  throw base::Error("the text holds the control token {} at byte {}",
                    base::in_quotes(parts_.added_tokens[match.index].content), place.begin);
}

void Encoder::encode_raw(size_t begin, size_t end) {
  if (begin == end) return;
  AlignedText text(text_.substr(begin, end - begin), static_cast<uint32_t>(begin));
  if (parts_.normalizer) parts_.normalizer->apply(text);
  encode_normalized(text);
}

void Encoder::encode_normalized(const AlignedText& text) {
  size_t done = 0;
  parts_.normalized_matcher.for_each(text.view(), parts_.added_tokens, [&](const AddedMatch& match) {
    const TokenSpan place = text.source(match.begin, match.end);
    if (!accepts(match, place)) return false;
    encode_words(text, done, match.begin);
    put(parts_.added_tokens[match.index].id, place);
    done = match.end;
    return true;
  });
  encode_words(text, done, text.view().size());
}

void Encoder::encode_words(const AlignedText& text, size_t begin, size_t end) {
  if (begin == end) return;
  PieceList& list = scratch_.pieces;
  list.pieces.assign(1, {&text, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  list.texts.clear();
  parts_.pre_tokenizers.split(list);
  const bool forbid_control = options_.special_tokens != SpecialTokens::Parse;
  for (const Piece& piece : list.pieces) {
    for (const WordToken& token : parts_.model.encode(piece.view(), forbid_control, scratch_.bpe)) {
      put(token.id, piece.text->source(piece.begin + token.begin, piece.begin + token.end));
    }
  }
}

void Encoder::put(uint32_t id, TokenSpan span) {
  out_.ids.push_back(id);
  out_.spans.push_back(span);
}

// As the reference does it: by the white space in a token's name, not in the text.
void Encoder::trim_spans() {
  for (size_t i = 0; i < out_.ids.size(); ++i) {
    const std::string name = parts_.token_name(out_.ids[i]);
    TokenSpan& span = out_.spans[i];
    size_t leading = leading_spaces(name);
    const bool is_first = i == 0 || span.begin == 0;
    if (leading == 1 && is_first && parts_.post_processor.keeps_first_space) leading = 0;
    for (; leading > 0; --leading) span.begin = std::min(next_char(text_, span.begin), span.end);
    for (size_t n = trailing_spaces(name); n > 0; --n) {
      span.end = std::max(previous_char(text_, span.end), span.begin);
    }
  }
}

void Encoder::add_around() {
  const auto& [before, after, trims, keeps] = parts_.post_processor;
  out_.ids.insert(out_.ids.begin(), before.begin(), before.end());
  out_.spans.insert(out_.spans.begin(), before.size(), TokenSpan{});
  out_.ids.insert(out_.ids.end(), after.begin(), after.end());
  out_.spans.insert(out_.spans.end(), after.size(), TokenSpan{});
}

}  // namespace cuset::text
