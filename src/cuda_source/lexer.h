// A lexer for CUDA C++ over bytes.
//
// Tokens are spans of the text, in order and without overlap; what lies between two tokens is only white
// space and line splices (a backslash, optional blanks, a line end). Comments are tokens. Any bytes give
// tokens: a string or character literal that is not closed ends at its line, an unclosed comment or raw
// string at the end of the text, and a byte that starts nothing is a token of kind kOther. Time and memory
// are linear in the text.
//
// Brackets of launches. As in nvcc, three `<` in a row open a launch configuration (except after `operator`),
// and any other `<` or `<<` does not. A `>` is always a token of its own, so that `a<b<c<d>>>` closes three
// templates; only the three `>` that close a launch configuration become one kLaunchClose. Which ones those
// are is decided per launch, see launch_brackets.cc. `>=` and `>>=` are tokens.
//
// Preprocessor lines. The `#` that starts a line is kHash; it and everything up to the end of its logical
// line (splices and comments carry it on) have the flag kInDirective. What follows `#include` is one
// kHeaderName.
//
// Not covered: trigraphs, universal character names outside of literals (their backslash is kOther).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"
#include "cuda_source/words.h"

namespace cuset::cuda_source {

enum class TokenKind : uint8_t {
  kIdentifier,
  kNumber,
  kString,     // with its encoding prefix
  kRawString,  // R"delimiter(...)delimiter" with its encoding prefix
  kCharacter,
  kPunctuation,
  kLaunchOpen,   // <<<
  kLaunchClose,  // >>>
  kHash,
  kHeaderName,
  kComment,
  kOther,
};

// Punctuators of several characters; those of one character are their own code. Digraphs have the code of
// what they stand for.
enum Punctuator : uint8_t {
  kScope = 128,     // ::
  kArrow,           // -> ->*
  kShiftLeft,       // <<
  kCompare,         // == != <= >= <=>
  kCompoundAssign,  // += -= *= /= %= &= |= ^= <<= >>=
  kLogical,         // && ||
  kIncrement,       // ++ --
  kEllipsis,        // ...
  kPaste,           // ##
  kMemberPointer,   // .*
};

enum TokenFlag : uint8_t {
  kInDirective = 1,
  kSpliced = 2,       // a line splice lies inside; spelling() takes it out
  kUnterminated = 4,  // a literal or comment without its end
  kBranchStart = 8,   // set by Code, not by the lexer
};

struct Token {
  uint32_t begin = 0;
  uint32_t end = 0;
  TokenKind kind = TokenKind::kOther;
  uint8_t flags = 0;
  Keyword word = Keyword::kNone;  // of an identifier
  uint8_t punctuation = 0;        // of a punctuator: its character or a Punctuator

  bool is(char c) const { return punctuation == static_cast<uint8_t>(c); }
  bool is(Punctuator p) const { return punctuation == p; }
  bool is(Keyword w) const { return word == w; }
  bool has(TokenFlag flag) const { return (flags & flag) != 0; }
  bool is_identifier() const { return kind == TokenKind::kIdentifier; }
};

// All tokens of `text`. Throws Error for a text of 4 GiB or more, the only input refused.
std::vector<Token> lex(std::string_view text);

// The token's bytes, without line splices.
std::string spelling(std::string_view text, const Token& token);

// One line per token, "kind spelling", for tests and for looking.
std::string dump_tokens(std::string_view text, const std::vector<Token>& tokens);

// Joins the `>` tokens that close launch configurations into kLaunchClose; the last step of lex().
void join_launch_closers(std::vector<Token>& tokens);

}  // namespace cuset::cuda_source
