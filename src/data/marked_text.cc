#include "data/marked_text.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace cuset::data {
namespace {

constexpr std::array<std::string_view, 4> kAssistantTags = {"<think>", "</think>", "<tool_call>",
                                                            "</tool_call>"};

void append_shifted(const text::Encoding& part, size_t offset, text::Encoding& whole) {
  whole.ids.insert(whole.ids.end(), part.ids.begin(), part.ids.end());
  for (const text::TokenSpan& span : part.spans) {
    whole.spans.push_back(
        {static_cast<uint32_t>(span.begin + offset), static_cast<uint32_t>(span.end + offset)});
  }
}

void append_plain(const text::Tokenizer& tokenizer, std::string_view text, base::ByteSpan stretch,
                  text::Encoding& whole) {
  if (stretch.size() == 0) return;
  const text::EncodeOptions plain{.special_tokens = text::SpecialTokens::PlainText,
                                  .add_special_tokens = false};
  append_shifted(tokenizer.encode(stretch.of(text), plain), stretch.begin, whole);
}

// What the post-processor puts before a text: the added tokens in front of the first real one.
std::vector<uint32_t> opening_tokens(const text::Tokenizer& tokenizer) {
  const text::EncodeOptions with_added{.special_tokens = text::SpecialTokens::PlainText,
                                       .add_special_tokens = true};
  const text::Encoding probe = tokenizer.encode("x", with_added);
  size_t count = 0;
  while (count < probe.ids.size() && probe.spans[count].end == 0) ++count;
  return {probe.ids.begin(), probe.ids.begin() + static_cast<std::ptrdiff_t>(count)};
}

void shift(const std::vector<TokenMark>& part, size_t offset, std::vector<TokenMark>& marks) {
  for (const TokenMark& mark : part) marks.push_back({mark.begin + offset, mark.end + offset, mark.id});
}

bool is_assistant(const text::ChatOrigin& origin, const base::Json& messages) {
  return origin.message >= 0 &&
         messages[static_cast<size_t>(origin.message)].value("role", "") == "assistant";
}

}  // namespace

text::Encoding encode_marked(const text::Tokenizer& tokenizer, std::string_view text,
                             const std::vector<TokenMark>& marks, bool opens) {
  text::Encoding whole;
  if (opens) {
    whole.ids = opening_tokens(tokenizer);
    whole.spans.assign(whole.ids.size(), {0, 0});
  }
  size_t done = 0;
  for (const TokenMark& mark : marks) {
    CUSET_CHECK(done <= mark.begin && mark.begin < mark.end && mark.end <= text.size(),
                "mark {}-{} of {} bytes", mark.begin, mark.end, text.size());
    append_plain(tokenizer, text, {done, mark.begin}, whole);
    whole.ids.push_back(mark.id);
    whole.spans.push_back({static_cast<uint32_t>(mark.begin), static_cast<uint32_t>(mark.end)});
    done = mark.end;
  }
  append_plain(tokenizer, text, {done, text.size()}, whole);
  return whole;
}

std::vector<TokenMark> find_control_tokens(const text::Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenMark> marks;
  const text::Encoding encoding =
      tokenizer.encode(text, {.special_tokens = text::SpecialTokens::Parse, .add_special_tokens = false});
  const std::vector<text::AddedToken>& added = tokenizer.added_tokens();
  for (size_t i = 0; i < encoding.ids.size(); ++i) {
    const auto token = std::find_if(added.begin(), added.end(),
                                    [&](const text::AddedToken& t) { return t.id == encoding.ids[i]; });
    if (token == added.end() || !token->is_control()) continue;
    marks.push_back({encoding.spans[i].begin, encoding.spans[i].end, token->id});
  }
  return marks;
}

std::vector<TokenMark> find_assistant_tags(const text::Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenMark> marks;
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    for (const std::string_view tag : kAssistantTags) {
      if (!text.substr(at).starts_with(tag)) continue;
      const std::vector<text::AddedToken>& added = tokenizer.added_tokens();
      const auto token = std::find_if(added.begin(), added.end(),
                                      [&](const text::AddedToken& t) { return t.content == tag; });
      if (token != added.end()) marks.push_back({at, at + tag.size(), token->id});
    }
  }
  return marks;
}

std::vector<TokenMark> find_marks(const text::Tokenizer& tokenizer, const text::RenderedChat& chat,
                                  const base::Json& messages) {
  std::vector<TokenMark> marks;
  const std::string_view text = chat.text;
  for (size_t i = 0; i < chat.pieces.size();) {
    const text::ChatPiece& piece = chat.pieces[i];
    size_t end = piece.end;
    ++i;
    if (piece.is_data()) {
      if (!is_assistant(chat.origins[static_cast<size_t>(piece.origin)], messages)) continue;
      shift(find_assistant_tags(tokenizer, text.substr(piece.begin, end - piece.begin)), piece.begin, marks);
      continue;
    }
    // Neighboring pieces of the template belong together: a token may begin in one and end in the next.
    for (; i < chat.pieces.size() && !chat.pieces[i].is_data(); ++i) end = chat.pieces[i].end;
    shift(find_control_tokens(tokenizer, text.substr(piece.begin, end - piece.begin)), piece.begin, marks);
  }
  return marks;
}

}  // namespace cuset::data
