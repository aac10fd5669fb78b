#include "study/inspect/pieces.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace cuset::study {
namespace {

// The role of every byte. Each kind is painted in its own pass from left to right and never twice over the
// same byte, so nested regions cost no more than the text.
std::vector<Role> paint(size_t size, const std::vector<cuda_source::Region>& regions,
                        base::ByteSpan response) {
  std::vector<Role> roles(size, Role::kPrompt);
  std::fill(roles.begin() + static_cast<ptrdiff_t>(response.begin),
            roles.begin() + static_cast<ptrdiff_t>(response.end), Role::kResponse);
  std::array<size_t, kRoles> painted{};
  for (const cuda_source::Region& region : regions) {
    CUSET_CHECK(region.begin <= region.end && region.end <= size, "region [{}, {}) of a text of {} bytes",
                region.begin, region.end, size);
    const Role role = role_of(region.kind);
    size_t& until = painted[static_cast<size_t>(role)];
    for (size_t i = std::max(region.begin, until); i < region.end; ++i) roles[i] = std::max(roles[i], role);
    until = std::max(until, region.end);
  }
  return roles;
}

Role strongest(const std::vector<Role>& roles, base::ByteSpan bytes, Role fallback) {
  if (bytes.begin >= bytes.end) return fallback;
  return *std::max_element(roles.begin() + static_cast<ptrdiff_t>(bytes.begin),
                           roles.begin() + static_cast<ptrdiff_t>(bytes.end));
}

class ExampleCutter {
 public:
  ExampleCutter(const data::Example& example, const text::Tokenizer& tokenizer)
      : example_(example),
        tokenizer_(tokenizer),
        roles_(paint(example.text.size(), example.regions, example.response)) {}

  std::vector<ShownPiece> cut() {
    for (size_t token = 0; token < example_.ids.size(); ++token) add_token(token);
    add_gap(example_.text.size());
    return std::move(pieces_);
  }

 private:
  void add_token(size_t token) {
    const base::ByteSpan span{example_.spans[token].begin, example_.spans[token].end};
    const bool has_text = span.begin < span.end;
    if (has_text && span.end <= at_ && !pieces_.empty() && pieces_.back().tokens > 0) {
      return join_last(token);
    }
    if (has_text) add_gap(span.begin);
    ShownPiece piece;
    piece.bytes = {at_, has_text ? std::max(at_, span.end) : at_};
    if (!has_text) piece.name = tokenizer_.id_to_token(example_.ids[token]).value_or("?");
    piece.role = role_of_token(token, span);
    piece.first_token = token;
    piece.tokens = 1;
    piece.is_label = example_.is_label[token] != 0;
    piece.is_cuda = example_.is_cuda[token] != 0;
    at_ = piece.bytes.end;
    pieces_.push_back(std::move(piece));
  }

  // A closing that the tokenizer does not count among its special tokens is learned, and no prompt.
  Role role_of_token(size_t token, base::ByteSpan span) const {
    if (tokenizer_.is_special(example_.ids[token])) return Role::kSpecial;
    const Role role = strongest(roles_, span, Role::kPrompt);
    return role == Role::kPrompt && example_.is_label[token] != 0 ? Role::kResponse : role;
  }

  // The token holds further bytes of a character that is shown already.
  void join_last(size_t token) {
    ShownPiece& last = pieces_.back();
    ++last.tokens;
    last.is_label = last.is_label || example_.is_label[token] != 0;
    last.is_cuda = last.is_cuda || example_.is_cuda[token] != 0;
  }

  // Text before `end` that no token stands for: normalized away, or cut off.
  void add_gap(size_t end) {
    if (end <= at_) return;
    ShownPiece piece;
    piece.bytes = {at_, end};
    piece.role = strongest(roles_, piece.bytes, Role::kPrompt);
    pieces_.push_back(std::move(piece));
    at_ = end;
  }

  const data::Example& example_;
  const text::Tokenizer& tokenizer_;
  std::vector<Role> roles_;
  std::vector<ShownPiece> pieces_;
  size_t at_ = 0;  // text before this is in pieces
};

}  // namespace

std::string_view name_of(Role role) {
  static constexpr std::array<std::string_view, kRoles> kNames = {
      "prompt",        "response",          "device body",          "signature",
      "kernel body",   "launch definition", "launch configuration", "global memory",
      "shared memory", "thread indexing",   "synchronization",      "special token"};
  return kNames[static_cast<size_t>(role)];
}

Role role_of(cuda_source::RegionKind kind) {
  switch (kind) {
    case cuda_source::RegionKind::kKernelSignature:
      return Role::kSignature;
    case cuda_source::RegionKind::kKernelBody:
      return Role::kKernelBody;
    case cuda_source::RegionKind::kDeviceBody:
      return Role::kDeviceBody;
    case cuda_source::RegionKind::kLaunchConfiguration:
      return Role::kLaunchConfiguration;
    case cuda_source::RegionKind::kLaunchDefinition:
      return Role::kLaunchDefinition;
    case cuda_source::RegionKind::kThreadIndexing:
      return Role::kThreadIndexing;
    case cuda_source::RegionKind::kSharedMemory:
      return Role::kSharedMemory;
    case cuda_source::RegionKind::kSynchronization:
      return Role::kSynchronization;
    case cuda_source::RegionKind::kGlobalMemory:
      return Role::kGlobalMemory;
  }
  return Role::kResponse;
}

std::vector<ShownPiece> pieces_of_example(const data::Example& example, const text::Tokenizer& tokenizer) {
  const size_t tokens = example.ids.size();
  CUSET_CHECK(
      example.spans.size() == tokens && example.is_label.size() == tokens && example.is_cuda.size() == tokens,
      "{}: {} tokens, {} spans, {} labels, {} CUDA marks", example.place, tokens, example.spans.size(),
      example.is_label.size(), example.is_cuda.size());
  return ExampleCutter(example, tokenizer).cut();
}

std::vector<ShownPiece> pieces_of_source(std::string_view text,
                                         const std::vector<cuda_source::Region>& regions) {
  const std::vector<Role> roles = paint(text.size(), regions, {0, text.size()});
  std::vector<ShownPiece> pieces;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && roles[end] == roles[begin]) ++end;
    ShownPiece piece;
    piece.bytes = {begin, end};
    piece.role = roles[begin];
    pieces.push_back(std::move(piece));
    begin = end;
  }
  return pieces;
}

}  // namespace cuset::study
