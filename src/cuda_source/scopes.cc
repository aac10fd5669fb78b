#include "cuda_source/scopes.h"

namespace cuset::cuda_source {
namespace {

// Whether `{` at `brace` opens a namespace, a class or an extern "C" block, judged by the declaration before
// it.
bool opens_named_scope(const Code& code, size_t brace) {
  constexpr size_t kLongestHead = 256;
  bool parameters = false;
  for (size_t i = brace; i-- > 0 && brace - i < kLongestHead;) {
    const Token& token = code[i];
    if (token.is(';') || token.is('{') || token.is('}')) return false;
    if (token.is(')') || token.is(']')) {
      // `struct alignas(16) Name {` has a group too, but never as its last token.
      parameters |= token.is(')') && i + 1 == brace;
      if (code.match(i) == Code::kNone) return false;
      i = code.match(i);
    } else if (token.is(Keyword::kNamespace)) {
      return true;
    } else if (token.is(Keyword::kClass) && !parameters) {
      // `template <class T> void f() {` names a class inside its angles.
      const bool template_parameter = i > 0 && (code[i - 1].is('<') || code[i - 1].is(','));
      if (!template_parameter) return true;
    } else if (token.kind == TokenKind::kString && i > 0 && code[i - 1].is(Keyword::kExtern)) {
      return !parameters;
    }
  }
  return false;
}

bool opens_loop(const Code& code, size_t brace) {
  if (brace == 0) return false;
  const Token& before = code[brace - 1];
  if (before.is(Keyword::kDo)) return true;
  if (!before.is(')') || code.match(brace - 1) == Code::kNone) return false;
  const uint32_t header = code.match(brace - 1);
  return header > 0 && code[header - 1].is(Keyword::kControl) &&
         (code.raw(header - 1) == "for" || code.raw(header - 1) == "while");
}

}  // namespace

Scopes::Scopes(const Code& code) : code_(code), index_(code.size(), Code::kNone) {
  for (size_t i = 0; i < code.size(); ++i) {
    if (!code[i].is('{')) continue;
    Brace brace;
    if (const uint32_t around = code.brace_around(i); around != Code::kNone) brace = braces_[index_[around]];
    if (brace.function == Code::kNone && !opens_named_scope(code, i))
      brace.function = static_cast<uint32_t>(i);
    if (brace.loop == Code::kNone && opens_loop(code, i)) brace.loop = static_cast<uint32_t>(i);
    index_[i] = static_cast<uint32_t>(braces_.size());
    braces_.push_back(brace);
  }
}

uint32_t Scopes::function_around(size_t i) const {
  const uint32_t brace = code_.brace_around(i);
  return brace == Code::kNone ? Code::kNone : braces_[index_[brace]].function;
}

size_t Scopes::loop_end(size_t i) const {
  const uint32_t brace = code_.brace_around(i);
  if (brace == Code::kNone || braces_[index_[brace]].loop == Code::kNone) return i;
  return code_.match(braces_[index_[brace]].loop);
}

}  // namespace cuset::cuda_source
