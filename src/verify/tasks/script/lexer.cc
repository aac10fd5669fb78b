#include "verify/tasks/script/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

using Kind = Token::Kind;

constexpr int kMostIndents = 64;

// Longest first, so that the first match is the right one.
constexpr std::array<std::string_view, 49> kOperators = {
    "...", "**=", "//=", ">>=", "<<=", "->", ":=", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "+=", "-=",
    "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "@=", "+",  "-",  "*",  "/",  "%",  "@",  "&",  "|",  "^",  "~",
    "<",   ">",   "=",   "(",   ")",   "[",  "]",  "{",  "}",  ",",  ":",  ".",  ";",  "!",  "`"};

bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) {
      if (at_line_start_ && brackets_ == 0) {
        if (!read_indentation()) continue;
      }
      read_token();
    }
    end_line();
    for (; indents_.size() > 1; indents_.pop_back()) add(Kind::kDedent, "");
    add(Kind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Failure::at_line(line_, message); }

  char peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void add(Kind kind, std::string text) {
    tokens_.push_back({.kind = kind, .text = std::move(text), .line = line_, .integer = 0, .number = 0});
  }

  void end_line() {
    if (!tokens_.empty() && tokens_.back().kind != Kind::kNewline && tokens_.back().kind != Kind::kDedent &&
        tokens_.back().kind != Kind::kIndent)
      add(Kind::kNewline, "");
  }

  // False where the line is empty and has been skipped.
  bool read_indentation() {
    int width = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++at_)
      width = peek() == '\t' ? (width / 8 + 1) * 8 : width + 1;
    if (at_ >= source_.size()) return false;
    if (peek() == '#') skip_comment();
    if (peek() == '\r' || peek() == '\n') {
      if (peek() == '\n') ++line_;
      ++at_;
      return false;
    }
    at_line_start_ = false;
    if (width > indents_.back()) {
      if (indents_.size() >= kMostIndents) fail("blocks nested too deeply");
      indents_.push_back(width);
      add(Kind::kIndent, "");
    }
    for (; width < indents_.back(); indents_.pop_back()) add(Kind::kDedent, "");
    if (width != indents_.back()) fail("indentation that matches no outer block");
    return at_ < source_.size();
  }

  void skip_comment() {
    while (at_ < source_.size() && source_[at_] != '\n') ++at_;
  }

  void read_token() {
    const char c = peek();
    if (c == '\n') {
      ++at_;
      if (brackets_ == 0) {
        end_line();
        at_line_start_ = true;
      }
      ++line_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      skip_comment();
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      read_number();
    } else if (c == '"' || c == '\'') {
      read_string("");
    } else if (begins_name(c)) {
      read_name();
    } else {
      read_operator();
    }
  }

  void read_name() {
    const size_t begin = at_;
    while (begins_name(peek()) || is_digit(peek())) ++at_;
    std::string name(source_.substr(begin, at_ - begin));
    if ((peek() == '"' || peek() == '\'') && name.size() <= 2) {
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      if (name.find_first_not_of("rbfu") == std::string::npos) return read_string(name);
    }
    add(Kind::kName, std::move(name));
  }

  void read_number() {
    std::string digits;
    const auto take = [&](auto accept) {
      for (; accept(peek()) || (peek() == '_' && accept(peek(1))); ++at_)
        if (peek() != '_') digits += peek();
    };
    if (peek() == '0' && std::string_view("xXoObB").find(peek(1)) != std::string_view::npos &&
        peek(1) != '\0')
      return read_based_number();
    take(is_digit);
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      digits += source_[at_++];
      take(is_digit);
    }
    const bool signed_power = (peek(1) == '+' || peek(1) == '-') && is_digit(peek(2));
    if ((peek() == 'e' || peek() == 'E') && (is_digit(peek(1)) || signed_power)) {
      whole = false;
      digits += source_[at_++];
      if (signed_power) digits += source_[at_++];
      take(is_digit);
    }
    const bool imaginary = peek() == 'j' || peek() == 'J';
    if (imaginary) ++at_;
    if (begins_name(peek())) fail("a number runs into a name");
    if (imaginary) return add(Kind::kImaginary, digits);
    add_number(digits, whole, 10);
  }

  void read_based_number() {
    const int base = std::tolower(peek(1)) == 'x' ? 16 : std::tolower(peek(1)) == 'o' ? 8 : 2;
    at_ += 2;
    std::string digits;
    for (; std::isxdigit(static_cast<unsigned char>(peek())) || peek() == '_'; ++at_)
      if (peek() != '_') digits += peek();
    add_number(digits, true, base);
  }

  void add_number(const std::string& digits, bool whole, int base) {
    add(whole ? Kind::kInteger : Kind::kFloat, digits);
    Token& token = tokens_.back();
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = whole ? std::from_chars(digits.data(), end, token.integer, base)
                                     : std::from_chars(digits.data(), end, token.number);
    if (error == std::errc::result_out_of_range && !whole)
      return;  // like Python: 0 or infinity, rarely meant
    if (error != std::errc() || stop != end)
      fail(whole ? "a whole number beyond 64 bits" : "a malformed number");
  }

  void read_string(const std::string& prefix) {
    const bool raw = prefix.find('r') != std::string::npos;
    const Kind kind = prefix.find('f') != std::string::npos ? Kind::kFormatted : Kind::kString;
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    const std::string_view closing = source_.substr(at_, triple ? 3 : 1);
    const int first_line = line_;
    at_ += closing.size();
    std::string text;
    while (source_.substr(at_, closing.size()) != closing) {
      if (at_ >= source_.size() || (!triple && peek() == '\n')) fail("a string that is not closed");
      if (peek() == '\n') ++line_;
      if (peek() == '\\' && at_ + 1 < source_.size())
        read_escape(raw, text);
      else
        text += source_[at_++];
    }
    at_ += closing.size();
    add(kind, std::move(text));
    tokens_.back().line = first_line;
  }

  // Escapes by number stay as written: no path or option holds one.
  void read_escape(bool raw, std::string& text) {
    const char c = source_[at_ + 1];
    at_ += 2;
    if (c == '\n') ++line_;
    constexpr std::string_view kNames = "nt\\'\"r0";
    constexpr std::string_view kMeanings("\n\t\\'\"\r\0", 7);
    const size_t known = kNames.find(c);
    if (raw || (known == std::string_view::npos && c != '\n'))
      text.append({'\\', c});
    else if (c != '\n')
      text += kMeanings[known];
  }

  void read_operator() {
    const std::string_view rest = source_.substr(at_);
    const auto found = std::find_if(kOperators.begin(), kOperators.end(), [&](std::string_view text) {
      return rest.substr(0, text.size()) == text;
    });
    if (found == kOperators.end())
      fail(fmt::format("unexpected character {:#x}", static_cast<unsigned char>(rest[0])));
    if (found->size() == 1 && std::string_view("([{").find(rest[0]) != std::string_view::npos) ++brackets_;
    if (found->size() == 1 && std::string_view(")]}").find(rest[0]) != std::string_view::npos)
      brackets_ = std::max(0, brackets_ - 1);
    at_ += found->size();
    add(Kind::kOperator, std::string(*found));
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  int brackets_ = 0;
  bool at_line_start_ = true;
  std::vector<int> indents_ = {0};
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

}  // namespace cuset::script
