#include "text/jinja/lexer.h"

#include <charconv>

#include "text/jinja/literal.h"

namespace cuset::text::jinja {
namespace {

std::string with_plain_newlines(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    const bool carriage = source[i] == '\r';
    if (carriage && i + 1 < source.size() && source[i + 1] == '\n') ++i;
    out += carriage ? '\n' : source[i];
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

constexpr std::string_view kOperators[] = {"**", "//", "==", "!=", ">=", "<=", "+", "-", "/",
                                           "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                           ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};

class TemplateLexer {
 public:
  explicit TemplateLexer(std::string source) : source_(std::move(source)) {}

  std::vector<Token> run();

 private:
  // What opens a tag at the current position of the root state.
  struct Opening {
    char kind = 0;  // '{' expression, '%' tag, '#' comment, 'r' raw block
    char sign = 0;  // '-', '+' or 0
    size_t begin = 0;
    size_t end = 0;
  };

  std::string_view rest(size_t position) const { return std::string_view(source_).substr(position); }
  bool at(size_t position, std::string_view what) const { return rest(position).starts_with(what); }
  char sign_at(size_t position) const { return at(position, "-") ? '-' : at(position, "+") ? '+' : 0; }
  size_t skip_space(size_t position) const;
  Place place_of(size_t position);
  [[noreturn]] void refuse(size_t position, const std::string& message) {
    throw SyntaxFailure(place_of(position), message);
  }

  Opening find_opening() const;
  // The end of "{%- raw -%}" or "{%- endraw -%}" at `position`, or npos.
  size_t match_raw_tag(size_t position, std::string_view word) const;
  void add(TokenKind kind, size_t position, std::string text = {});
  // Emits the text before a tag, trimmed as the tag's sign says.
  void add_text(size_t begin, size_t end, char sign, bool trims_line);
  void move_to(size_t position);
  void skip_comment();
  void read_raw();
  void read_tag(bool is_expression, size_t opening);
  bool read_tag_end(bool is_expression);
  void read_tag_token();
  void read_number();
  void read_string(char quote);
  void read_operator();
  // End of digits with single underscores between, or `position` if there are none.
  size_t digits_end(size_t position, std::string_view allowed) const;

  std::string source_;
  size_t position_ = 0;
  bool line_starting_ = true;
  std::string brackets_;
  std::vector<Token> tokens_;
  // Places are asked for in rising order; the search continues from the last one.
  size_t placed_ = 0;
  Place place_;
};

Place TemplateLexer::place_of(size_t position) {
  if (position < placed_) {
    placed_ = 0;
    place_ = {};
  }
  for (; placed_ < position; ++placed_) {
    if (source_[placed_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
  return place_;
}

size_t TemplateLexer::skip_space(size_t position) const {
  while (position < source_.size()) {
    const CodePoint c = code_point_at(source_, position);
    if (!is_space(c.value)) break;
    position = c.end;
  }
  return position;
}

void TemplateLexer::add(TokenKind kind, size_t position, std::string text) {
  Token token;
  token.kind = kind;
  token.place = place_of(position);
  token.text = std::move(text);
  tokens_.push_back(std::move(token));
}

void TemplateLexer::move_to(size_t position) {
  if (position > position_) line_starting_ = source_[position - 1] == '\n';
  position_ = position;
}

size_t TemplateLexer::match_raw_tag(size_t position, std::string_view word) const {
  size_t p = position + 2;
  if (sign_at(p) != 0) ++p;
  p = skip_space(p);
  if (!at(p, word)) return std::string::npos;
  p = skip_space(p + word.size());
  if (at(p, "-%}")) return skip_space(p + 3);
  if (at(p, "%}")) return p + 2;
  // Only the closing tag may keep its newline with "+".
  return word == "endraw" && at(p, "+%}") ? p + 3 : std::string::npos;
}

TemplateLexer::Opening TemplateLexer::find_opening() const {
  for (size_t p = position_; (p = source_.find('{', p)) != std::string::npos; ++p) {
    const char kind = p + 1 < source_.size() ? source_[p + 1] : '\0';
    if (kind != '{' && kind != '%' && kind != '#') continue;
    const char sign = sign_at(p + 2);
    if (kind == '%') {
      if (const size_t end = match_raw_tag(p, "raw"); end != std::string::npos) return {'r', sign, p, end};
    }
    return {kind, sign, p, p + (sign != 0 ? 3 : 2)};
  }
  return {0, 0, source_.size(), source_.size()};
}

void TemplateLexer::add_text(size_t begin, size_t end, char sign, bool trims_line) {
  if (sign == '-') {
    while (end > begin) {
      const size_t start = code_point_before(source_, end);
      if (!is_space(code_point_at(source_, start).value)) break;
      end = start;
    }
  } else if (sign != '+' && trims_line) {
    const size_t newline = end == begin ? std::string::npos : source_.rfind('\n', end - 1);
    const bool has_newline = newline != std::string::npos && newline >= begin;
    const size_t line = has_newline ? newline + 1 : begin;
    if ((has_newline || line_starting_) && skip_space(line) >= end) end = line;
  }
  if (end > begin) add(TokenKind::text, begin, source_.substr(begin, end - begin));
}

void TemplateLexer::skip_comment() {
  // An unfinished comment that holds nothing at all is not an error in Jinja2.
  if (position_ == source_.size()) return;
  const size_t close = source_.find("#}", position_);
  if (close == std::string::npos) refuse(position_, "the comment has no end");
  const bool has_sign = close > position_;
  if (has_sign && source_[close - 1] == '-') {
    move_to(skip_space(close + 2));
  } else if (has_sign && source_[close - 1] == '+') {
    move_to(close + 2);
  } else {
    move_to(at(close + 2, "\n") ? close + 3 : close + 2);
  }
}

void TemplateLexer::read_raw() {
  if (position_ == source_.size()) return;
  for (size_t p = position_; (p = source_.find("{%", p)) != std::string::npos; ++p) {
    const size_t end = match_raw_tag(p, "endraw");
    if (end == std::string::npos) continue;
    add_text(position_, p, sign_at(p + 2), true);
    const bool plain_end = source_[end - 1] == '}' && source_[end - 3] != '+' && source_[end - 3] != '-';
    move_to(plain_end && at(end, "\n") ? end + 1 : end);
    return;
  }
  refuse(position_, "the raw block has no endraw");
}

bool TemplateLexer::read_tag_end(bool is_expression) {
  if (!brackets_.empty()) return false;
  const std::string_view close = is_expression ? "}}" : "%}";
  const char sign = sign_at(position_);
  const size_t after = position_ + (sign != 0 ? 1 : 0);
  if (!at(after, close) || (sign == '+' && is_expression)) return false;
  add(is_expression ? TokenKind::expression_end : TokenKind::tag_end, position_);
  size_t end = after + 2;
  if (sign == '-') {
    end = skip_space(end);
  } else if (sign == 0 && !is_expression && at(end, "\n")) {
    ++end;
  }
  move_to(end);
  return true;
}

size_t TemplateLexer::digits_end(size_t position, std::string_view allowed) const {
  size_t end = position;
  for (size_t p = position; p < source_.size();) {
    if (p > position && source_[p] == '_' && p + 1 < source_.size()) ++p;
    if (allowed.find(source_[p]) == std::string_view::npos) break;
    end = ++p;
  }
  return end;
}

void TemplateLexer::read_number() {
  constexpr std::string_view kDecimal = "0123456789";
  const size_t begin = position_;
  const size_t whole = digits_end(begin, kDecimal);
  size_t end = whole;
  const bool after_dot = begin > 0 && source_[begin - 1] == '.';
  if (at(whole, ".") && digits_end(whole + 1, kDecimal) > whole + 1) end = digits_end(whole + 1, kDecimal);
  if (at(end, "e") || at(end, "E")) {
    const size_t digits = end + (sign_at(end + 1) != 0 ? 2 : 1);
    if (digits_end(digits, kDecimal) > digits) end = digits_end(digits, kDecimal);
  }
  if (end > whole && !after_dot) {
    add(TokenKind::real, begin, source_.substr(begin, end - begin));
    tokens_.back().real = parse_real_literal(tokens_.back().text);
    return move_to(end);
  }
  end = integer_literal_end(source_, begin);
  add(TokenKind::integer, begin, source_.substr(begin, end - begin));
  const auto value = parse_integer_literal(tokens_.back().text);
  if (!value) refuse(begin, "the number " + tokens_.back().text + " does not fit 64 bits");
  tokens_.back().integer = *value;
  move_to(end);
}

void TemplateLexer::read_string(char quote) {
  const size_t begin = position_ + 1;
  size_t end = begin;
  while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
  if (end >= source_.size()) refuse(position_, "the string has no closing quote");
  std::string error;
  const auto content = unescape_string(std::string_view(source_).substr(begin, end - begin), error);
  if (!content) refuse(position_, error);
  add(TokenKind::string, position_, *content);
  move_to(end + 1);
}

void TemplateLexer::read_operator() {
  for (const std::string_view op : kOperators) {
    if (!at(position_, op)) continue;
    const char c = op[0];
    if (c == '(' || c == '[' || c == '{') {
      brackets_ += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      if (brackets_.empty() || brackets_.back() != c) refuse(position_, fmt::format("unexpected '{}'", c));
      brackets_.pop_back();
    }
    add(TokenKind::op, position_, std::string(op));
    return move_to(position_ + op.size());
  }
  if (static_cast<unsigned char>(source_[position_]) >= 0x80) {
    refuse(position_, "letters beyond ASCII are supported in text and strings only");
  }
  refuse(position_, fmt::format("unexpected character '{}'", source_[position_]));
}

void TemplateLexer::read_tag_token() {
  const char c = source_[position_];
  if (const size_t after = skip_space(position_); after > position_) return move_to(after);
  if (c >= '0' && c <= '9') return read_number();
  if (is_name_character(c)) {
    size_t end = position_;
    while (end < source_.size() && is_name_character(source_[end])) ++end;
    add(TokenKind::name, position_, source_.substr(position_, end - position_));
    return move_to(end);
  }
  if (c == '\'' || c == '"') return read_string(c);
  read_operator();
}

void TemplateLexer::read_tag(bool is_expression, size_t opening) {
  add(is_expression ? TokenKind::expression_begin : TokenKind::tag_begin, opening);
  while (position_ < source_.size()) {
    if (read_tag_end(is_expression)) return;
    read_tag_token();
  }
}

std::vector<Token> TemplateLexer::run() {
  while (position_ < source_.size()) {
    const Opening opening = find_opening();
    if (opening.kind == 0) {
      add(TokenKind::text, position_, source_.substr(position_));
      break;
    }
    add_text(position_, opening.begin, opening.sign, opening.kind != '{');
    move_to(opening.end);
    if (opening.kind == '#')
      skip_comment();
    else if (opening.kind == 'r')
      read_raw();
    else
      read_tag(opening.kind == '{', opening.begin);
  }
  add(TokenKind::end, source_.size());
  return std::move(tokens_);
}

}  // namespace

std::vector<Token> tokenize_template(std::string_view source) {
  return TemplateLexer(with_plain_newlines(source)).run();
}

}  // namespace cuset::text::jinja
