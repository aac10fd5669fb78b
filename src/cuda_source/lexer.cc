#include "cuda_source/lexer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace cuset::cuda_source {
namespace {

enum CharClass : uint8_t { kNoClass = 0, kBlank = 1, kLineEnd = 2, kNameStart = 4, kDigit = 8, kName = 16 };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\v', '\f'}) classes[static_cast<uint8_t>(c)] = kBlank;
  classes['\n'] = kLineEnd;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit | kName;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kNameStart | kName;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kNameStart | kName;
  for (int c = 0x80; c <= 0xff; ++c) classes[c] = kNameStart | kName;
  classes['_'] = classes['$'] = kNameStart | kName;
  return classes;
}

constexpr std::array<uint8_t, 256> kClasses = make_classes();

bool is(char c, CharClass which) { return (kClasses[static_cast<uint8_t>(c)] & which) != 0; }

// Matches the longest punctuator at the start of `s` (at most four characters); gives its length and code.
struct Match {
  uint8_t length;
  uint8_t code;
};

Match match_less(std::string_view s) {
  if (s.starts_with("<<=")) return {3, kCompoundAssign};
  if (s.starts_with("<<")) return {2, kShiftLeft};
  if (s.starts_with("<=>")) return {3, kCompare};
  if (s.starts_with("<=")) return {2, kCompare};
  if (s.starts_with("<%")) return {2, '{'};
  if (s.starts_with("<:")) {
    // [lex.pptoken]: `<::` is `<` and `::` unless `:` or `>` follows.
    const bool scope = s.size() > 2 && s[2] == ':' && (s.size() < 4 || (s[3] != ':' && s[3] != '>'));
    if (!scope) return {2, '['};
  }
  return {1, '<'};
}

Match match_percent(std::string_view s) {
  if (s.starts_with("%:%:")) return {4, kPaste};
  if (s.starts_with("%:")) return {2, '#'};
  if (s.starts_with("%>")) return {2, '}'};
  if (s.starts_with("%=")) return {2, kCompoundAssign};
  return {1, '%'};
}

Match match_repeatable(std::string_view s, uint8_t twice) {
  if (s.size() < 2) return {1, static_cast<uint8_t>(s[0])};
  if (s[1] == s[0]) return {2, twice};
  if (s[1] == '=') return {2, kCompoundAssign};
  return {1, static_cast<uint8_t>(s[0])};
}

Match match_punctuator(std::string_view s) {
  const char c = s[0];
  const char d = s.size() > 1 ? s[1] : '\0';
  const auto single = Match{1, static_cast<uint8_t>(c)};
  switch (c) {
    case '<':
      return match_less(s);
    case '>':
      if (s.starts_with(">>=")) return {3, kCompoundAssign};
      return d == '=' ? Match{2, kCompare} : single;
    case '%':
      return match_percent(s);
    case ':':
      if (d == ':') return {2, kScope};
      return d == '>' ? Match{2, ']'} : single;
    case '-':
      if (d == '>') return {static_cast<uint8_t>(s.starts_with("->*") ? 3 : 2), kArrow};
      return match_repeatable(s, kIncrement);
    case '+':
      return match_repeatable(s, kIncrement);
    case '&':
    case '|':
      return match_repeatable(s, kLogical);
    case '*':
    case '/':
    case '^':
      return d == '=' ? Match{2, kCompoundAssign} : single;
    case '=':
    case '!':
      return d == '=' ? Match{2, kCompare} : single;
    case '.':
      if (s.starts_with("...")) return {3, kEllipsis};
      return d == '*' ? Match{2, kMemberPointer} : single;
    case '#':
      return d == '#' ? Match{2, kPaste} : single;
    default:
      return single;
  }
}

bool is_raw_prefix(std::string_view s) {
  return s == "R" || s == "LR" || s == "uR" || s == "UR" || s == "u8R";
}
bool is_text_prefix(std::string_view s) { return s == "L" || s == "u" || s == "U" || s == "u8"; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) { tokens_.reserve(text.size() / 5 + 16); }

  std::vector<Token> run() {
    while (skip_space()) scan_token();
    if (saw_launch_) join_launch_closers(tokens_);
    return std::move(tokens_);
  }

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  // The length of a line splice at `i`, or 0.
  size_t splice_length(size_t i) const {
    if (at(i) != '\\') return 0;
    size_t end = i + 1;
    while (at(end) == ' ' || at(end) == '\t') ++end;
    if (at(end) == '\r' && at(end + 1) == '\n') return end + 2 - i;
    return at(end) == '\n' ? end + 1 - i : 0;
  }

  // Moves to the next token; false at the end of the text.
  bool skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is(c, kLineEnd)) {
        line_start_ = true;
        in_directive_ = false;
        ++at_;
      } else if (is(c, kBlank)) {
        ++at_;
      } else if (const size_t splice = c == '\\' ? splice_length(at_) : 0) {
        at_ += splice;
      } else {
        return true;
      }
    }
    return false;
  }

  void scan_token() {
    begin_ = at_;
    flags_ = 0;
    const char c = text_[at_];
    if (is(c, kNameStart)) return scan_name();
    if (is(c, kDigit) || (c == '.' && is(at(at_ + 1), kDigit))) return scan_number();
    if (c == '"' || c == '\'') return scan_quoted(c);
    if (c == '/' && at(at_ + 1 + splice_length(at_ + 1)) == '/') return scan_line_comment();
    if (c == '/' && at(at_ + 1 + splice_length(at_ + 1)) == '*') return scan_block_comment();
    if (c == '<' && expect_header_) return scan_header_name();
    scan_punctuation();
  }

  Token& emit(TokenKind kind) {
    Token token;
    token.begin = static_cast<uint32_t>(begin_);
    token.end = static_cast<uint32_t>(at_);
    token.kind = kind;
    token.flags = static_cast<uint8_t>(flags_ | (in_directive_ ? kInDirective : 0));
    if (kind != TokenKind::kComment) {
      line_start_ = false;
      expect_header_ = false;
    }
    tokens_.push_back(token);
    return tokens_.back();
  }

  // Runs over name characters and the splices between them.
  void skip_name() {
    for (;;) {
      while (at_ < text_.size() && is(text_[at_], kName)) ++at_;
      const size_t splice = splice_length(at_);
      if (splice == 0 || !is(at(at_ + splice), kName)) return;
      at_ += splice;
      flags_ |= kSpliced;
    }
  }

  void scan_name() {
    skip_name();
    const char next = at(at_);
    if (next == '"' || next == '\'') {
      const std::string_view prefix = text_.substr(begin_, at_ - begin_);
      if (next == '"' && is_raw_prefix(prefix) && scan_raw_string()) return;
      if (is_text_prefix(prefix) || (next == '"' && is_raw_prefix(prefix))) return scan_quoted(next);
    }
    const bool after_hash = !tokens_.empty() && tokens_.back().kind == TokenKind::kHash;
    Token& token = emit(TokenKind::kIdentifier);
    const std::string_view name = text_.substr(token.begin, token.end - token.begin);
    token.word = token.has(kSpliced) ? find_word(spelling(text_, token)) : find_word(name);
    expect_header_ = after_hash && (name == "include" || name == "include_next" || name == "import");
  }

  void scan_number() {
    for (;;) {
      const char c = at(at_);
      const char previous = at_ > begin_ ? text_[at_ - 1] : '\0';
      if (is(c, kName) || c == '.') {
        ++at_;
      } else if (c == '\'' && is(at(at_ + 1), kName)) {
        at_ += 2;
      } else if ((c == '+' || c == '-') &&
                 (previous == 'e' || previous == 'E' || previous == 'p' || previous == 'P')) {
        ++at_;
      } else if (const size_t splice = splice_length(at_); splice > 0 && is(at(at_ + splice), kName)) {
        at_ += splice;
        flags_ |= kSpliced;
      } else {
        break;
      }
    }
    emit(TokenKind::kNumber);
  }

  void scan_quoted(char quote) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] != '\\') {
        ++at_;
      } else if (const size_t splice = splice_length(at_)) {
        at_ += splice;
        flags_ |= kSpliced;
      } else {
        at_ += at(at_ + 1) == '\n' ? 1 : 2;
      }
    }
    at_ = std::min(at_, text_.size());
    if (at(at_) == quote && at_ < text_.size()) {
      ++at_;
    } else {
      flags_ |= kUnterminated;
    }
    emit(quote == '"' ? TokenKind::kString : TokenKind::kCharacter);
  }

  // At the quote after a raw prefix. False, with nothing consumed, if no valid delimiter follows.
  bool scan_raw_string() {
    constexpr size_t kLongestDelimiter = 16;
    size_t paren = at_ + 1;
    while (paren < text_.size() && paren - at_ - 1 <= kLongestDelimiter && text_[paren] != '(') {
      const char c = text_[paren];
      if (c == ')' || c == '\\' || c == '"' || is(c, kBlank) || is(c, kLineEnd)) return false;
      ++paren;
    }
    if (at(paren) != '(' || paren - at_ - 1 > kLongestDelimiter) return false;
    std::string closer = ")";
    closer.append(text_.substr(at_ + 1, paren - at_ - 1)).append("\"");
    const size_t end = text_.find(closer, paren + 1);
    if (end == std::string_view::npos) flags_ |= kUnterminated;
    at_ = end == std::string_view::npos ? text_.size() : end + closer.size();
    emit(TokenKind::kRawString);
    return true;
  }

  void scan_line_comment() {
    for (;;) {
      const void* found = std::memchr(text_.data() + at_, '\n', text_.size() - at_);
      if (found == nullptr) {
        at_ = text_.size();
        break;
      }
      const size_t line_end = static_cast<size_t>(static_cast<const char*>(found) - text_.data());
      size_t last = line_end;
      while (last > at_ && is(text_[last - 1], kBlank)) --last;
      if (last == at_ || text_[last - 1] != '\\') {
        at_ = line_end;
        break;
      }
      at_ = line_end + 1;
      flags_ |= kSpliced;
    }
    emit(TokenKind::kComment);
  }

  void scan_block_comment() {
    const size_t splice = splice_length(at_ + 1);
    if (splice > 0) flags_ |= kSpliced;
    const size_t inside = at_ + 2 + splice;
    const size_t end = text_.find("*/", std::min(inside, text_.size()));
    if (end == std::string_view::npos) flags_ |= kUnterminated;
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    emit(TokenKind::kComment);
  }

  void scan_header_name() {
    while (at_ < text_.size() && text_[at_] != '>' && text_[at_] != '\n') ++at_;
    if (at(at_) == '>') {
      ++at_;
    } else {
      flags_ |= kUnterminated;
    }
    emit(TokenKind::kHeaderName);
  }

  void scan_punctuation() {
    if (text_[at_] == '<' && scan_less_run()) return;
    const std::string_view rest = text_.substr(at_, 4);
    Match match{};
    if (rest.find('\\', 1) == std::string_view::npos) {
      match = match_punctuator(rest);
      at_ += match.length;
    } else {
      match = match_spliced();
    }
    const bool starts_directive = match.code == '#' && line_start_;
    if (starts_directive) in_directive_ = true;
    const bool other = text_[begin_] == '\\' || text_[begin_] == '@' || text_[begin_] == '`' ||
                       static_cast<unsigned char>(text_[begin_]) < 0x20 || text_[begin_] == 0x7f;
    Token& token = emit(starts_directive ? TokenKind::kHash
                        : other          ? TokenKind::kOther
                                         : TokenKind::kPunctuation);
    if (token.kind == TokenKind::kPunctuation) token.punctuation = match.code;
  }

  // Reads a punctuator through the line splices inside it.
  Match match_spliced() {
    std::string logical;
    std::array<size_t, 5> ends{};
    size_t i = at_;
    while (i < text_.size() && logical.size() < 4) {
      if (const size_t splice = splice_length(i)) {
        i += splice;
        continue;
      }
      logical += text_[i++];
      ends[logical.size()] = i;
    }
    const Match match = match_punctuator(logical);
    at_ = ends[match.length];
    if (at_ - begin_ != match.length) flags_ |= kSpliced;
    return match;
  }

  // Three `<` in a row, not four, open a launch.
  bool scan_less_run() {
    size_t count = 0;
    size_t end = at_;
    for (size_t i = at_; count < 4; ++i) {
      i += splice_length(i);
      if (at(i) != '<') break;
      ++count;
      if (count <= 3) end = i + 1;
    }
    const bool after_operator = !tokens_.empty() && tokens_.back().is(Keyword::kOperator);
    const bool after_less = begin_ > 0 && text_[begin_ - 1] == '<';
    if (count != 3 || after_operator || after_less) return false;
    if (end - begin_ != 3) flags_ |= kSpliced;
    at_ = end;
    emit(TokenKind::kLaunchOpen);
    saw_launch_ = true;
    return true;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  size_t begin_ = 0;  // of the token being read
  uint8_t flags_ = 0;
  bool line_start_ = true;
  bool in_directive_ = false;
  bool expect_header_ = false;
  bool saw_launch_ = false;
};

const char* name_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::kIdentifier:
      return "identifier";
    case TokenKind::kNumber:
      return "number";
    case TokenKind::kString:
      return "string";
    case TokenKind::kRawString:
      return "raw_string";
    case TokenKind::kCharacter:
      return "character";
    case TokenKind::kPunctuation:
      return "punctuation";
    case TokenKind::kLaunchOpen:
      return "launch_open";
    case TokenKind::kLaunchClose:
      return "launch_close";
    case TokenKind::kHash:
      return "hash";
    case TokenKind::kHeaderName:
      return "header_name";
    case TokenKind::kComment:
      return "comment";
    case TokenKind::kOther:
      return "other";
  }
  return "unknown";
}

}  // namespace

std::vector<Token> lex(std::string_view text) {
  if (text.size() >= std::numeric_limits<uint32_t>::max()) {
    throw base::Error("source text of {} bytes is too long", text.size())
        .with_remedy("split it into files under 4 GiB");
  }
  return Scanner(text).run();
}

std::string spelling(std::string_view text, const Token& token) {
  std::string_view raw = text.substr(token.begin, token.end - token.begin);
  if (!token.has(kSpliced)) return std::string(raw);
  std::string result;
  for (size_t i = 0; i < raw.size(); ++i) {
    size_t end = i + 1;
    while (end < raw.size() && (raw[end] == ' ' || raw[end] == '\t' || raw[end] == '\r')) ++end;
    if (raw[i] == '\\' && end < raw.size() && raw[end] == '\n') {
      i = end;
    } else {
      result += raw[i];
    }
  }
  return result;
}

std::string dump_tokens(std::string_view text, const std::vector<Token>& tokens) {
  std::string result;
  for (const Token& token : tokens) {
    result += name_of(token.kind);
    result += ' ';
    result += spelling(text, token);
    if (token.has(kInDirective)) result += " #";
    if (token.has(kUnterminated)) result += " ...";
    result += '\n';
  }
  return result;
}

}  // namespace cuset::cuda_source
