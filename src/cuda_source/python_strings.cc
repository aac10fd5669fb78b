#include "cuda_source/python_strings.h"

#include <algorithm>

namespace cuset::cuda_source {

base::ByteSpan PythonString::to_source(base::ByteSpan span) const {
  if (pieces_.empty()) return {source_.begin, source_.begin};
  const auto piece_at = [&](size_t offset) -> const Piece& {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                        [](size_t o, const Piece& piece) { return o < piece.decoded; });
    return after == pieces_.begin() ? pieces_.front() : *std::prev(after);
  };
  const Piece& first = piece_at(span.begin);
  const size_t begin = first.escape > 0 ? first.source : first.source + (span.begin - first.decoded);
  if (span.begin >= span.end) return {begin, begin};
  const Piece& last = piece_at(span.end - 1);
  return {begin, last.escape > 0 ? last.source + last.escape : last.source + (span.end - last.decoded)};
}

namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c & 0x80) != 0;
}

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void append_utf8(uint32_t code, std::string& out) {
  const auto byte = [&](uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char l = lowered(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : 99;
}

}  // namespace

class PythonReader {
 public:
  explicit PythonReader(std::string_view text) : text_(text) {}

  std::vector<PythonString> run() {
    while (at_ < text_.size()) step();
    return std::move(strings_);
  }

 private:
  struct Prefix {
    size_t quote = 0;  // position of the opening quote
    bool raw = false;
    bool formatted = false;
  };

  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      if (depth_ == 0) {
        joins_ = line_of_last_ = false;
        line_start_ = true;
      }
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '\\') {
      at_ += at(at_ + 1) == '\n' ? 2 : 1;
    } else if (c == '"' || c == '\'') {
      read_string({at_, false, false});
    } else if (is_name(c)) {
      read_name();
    } else {
      read_operator(c);
    }
  }

  void read_operator(char c) {
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    // "a" + "b" is one string; anything else, or a second operator, ends it.
    joins_ = joins_ && c == '+' && !plus_;
    plus_ = c == '+';
    end_docstring();
    line_start_ = false;
    ++at_;
  }

  // A string that something follows on its line is not a statement of its own.
  void end_docstring() {
    if (line_of_last_) strings_.back().docstring_ = false;
    line_of_last_ = false;
  }

  void read_name() {
    const size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    Prefix prefix;
    if ((at(at_) == '"' || at(at_) == '\'') && at_ < text_.size() && is_prefix(begin, prefix)) {
      prefix.quote = at_;
      at_ = begin;
      read_string(prefix);
      return;
    }
    end_docstring();
    joins_ = false;
    line_start_ = false;
  }

  bool is_prefix(size_t begin, Prefix& prefix) const {
    if (at_ - begin > 2) return false;
    for (size_t i = begin; i < at_; ++i) {
      const char c = lowered(text_[i]);
      if (c != 'r' && c != 'b' && c != 'u' && c != 'f' && c != 't') return false;
      prefix.raw |= c == 'r';
      prefix.formatted |= c == 'f' || c == 't';
    }
    return true;
  }

  // at_ is at the literal's prefix or quote.
  void read_string(const Prefix& prefix) {
    if (!joins_ || strings_.empty()) {
      strings_.emplace_back();
      strings_.back().source_.begin = at_;
      strings_.back().docstring_ = line_start_ && depth_ == 0;
      line_of_last_ = true;
    }
    const char quote = text_[prefix.quote];
    const bool triple = at(prefix.quote + 1) == quote && at(prefix.quote + 2) == quote;
    at_ = prefix.quote + (triple ? 3 : 1);
    read_content(prefix, quote, triple);
    strings_.back().source_.end = at_;
    joins_ = true;
    plus_ = false;
    line_start_ = false;
  }

  void read_content(const Prefix& prefix, char quote, bool triple) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool closes = c == quote && (!triple || (at(at_ + 1) == quote && at(at_ + 2) == quote));
      if (closes) {
        at_ += triple ? 3 : 1;
        return;
      }
      if (c == '\n' && !triple) return;
      if (c == '\\' && at_ + 1 < text_.size()) {
        read_backslash(prefix.raw);
      } else if (prefix.formatted && (c == '{' || c == '}')) {
        read_field(quote);
      } else {
        copy(1);
      }
    }
  }

  // Copies bytes one to one.
  void copy(size_t count) {
    PythonString& string = strings_.back();
    const PythonString::Piece* last = string.pieces_.empty() ? nullptr : &string.pieces_.back();
    const bool goes_on = last != nullptr && last->escape == 0 &&
                         last->source + (string.decoded_.size() - last->decoded) == at_;
    if (!goes_on) string.pieces_.push_back({string.decoded_.size(), at_, 0});
    string.decoded_.append(text_.substr(at_, count));
    at_ += count;
  }

  // Replaces the next `count` source bytes by `value`.
  void replace(size_t count, std::string_view value) {
    PythonString& string = strings_.back();
    if (!value.empty()) string.pieces_.push_back({string.decoded_.size(), at_, count});
    string.decoded_.append(value);
    at_ += count;
  }

  void read_backslash(bool raw) {
    const char c = text_[at_ + 1];
    if (raw) return copy(2);
    static constexpr std::string_view kNames = "\\'\"abfnrtv";
    static constexpr std::string_view kValues = "\\'\"\a\b\f\n\r\t\v";
    if (c == '\n') return replace(2, "");
    if (c == '\r' && at(at_ + 2) == '\n') return replace(3, "");
    if (const size_t known = kNames.find(c); known != std::string_view::npos)
      return replace(2, kValues.substr(known, 1));
    if (c >= '0' && c <= '7') return read_code(1, 8, 1, 3);
    if (c == 'x') return read_code(2, 16, 2, 2);
    if (c == 'u') return read_code(2, 16, 4, 4);
    if (c == 'U') return read_code(2, 16, 8, 8);
    copy(1);
  }

  // A numeric escape of `least` to `most` digits that start `skip` bytes after the backslash.
  void read_code(size_t skip, int base, size_t least, size_t most) {
    uint32_t code = 0;
    size_t digits = 0;
    while (digits < most && digit_value(at(at_ + skip + digits)) < base) {
      code = code * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit_value(at(at_ + skip + digits)));
      ++digits;
    }
    if (digits < least || code > 0x10ffff) return copy(1);
    std::string value;
    append_utf8(code, value);
    replace(skip + digits, value);
  }

  // `{{`, `}}`, or a replacement field of an f-string.
  void read_field(char quote) {
    const char c = text_[at_];
    if (at(at_ + 1) == c) return replace(2, std::string_view(&c, 1));
    if (c == '}') return replace(1, "");
    replace(1, "");
    size_t depth = 0;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != quote) {
      const char d = text_[at_];
      if (d == '(' || d == '[' || d == '{') ++depth;
      const bool closer = d == ')' || d == ']' || d == '}';
      if (closer && depth == 0) break;
      if (closer) --depth;
      if (depth == 0 && (d == ':' || (d == '!' && at(at_ + 1) != '='))) return skip_format(quote);
      copy(1);
    }
    if (at(at_) == '}') replace(1, "");
  }

  void skip_format(char quote) {
    size_t depth = 0;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != quote) {
      const char c = text_[at_];
      replace(1, "");
      if (c == '{') ++depth;
      if (c == '}' && depth-- == 0) return;
    }
  }

  std::string_view text_;
  std::vector<PythonString> strings_;
  size_t at_ = 0;
  size_t depth_ = 0;           // of brackets, inside which line ends mean nothing
  bool line_start_ = true;     // nothing but blanks so far on the logical line
  bool joins_ = false;         // a literal here continues the last string
  bool plus_ = false;          // a `+` stands after the last string
  bool line_of_last_ = false;  // the last string's statement is not over
};

std::vector<PythonString> find_python_strings(std::string_view text) { return PythonReader(text).run(); }

namespace {

enum class Hint { kNone, kPython, kCpp };

Hint hint_of_line(std::string_view line) {
  const auto starts = [&](std::string_view opening) { return line.starts_with(opening); };
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  const bool semicolon = !line.empty() && line.back() == ';';
  if (starts("#include") || starts("#define") || starts("#pragma") || starts("#if")) return Hint::kCpp;
  if (starts("//") || starts("/*") || starts("__global__") || starts("template") || starts("extern ") ||
      starts("namespace ") || starts("using ") || starts("__device__") || starts("int main")) {
    return Hint::kCpp;
  }
  if (!semicolon &&
      (starts("import ") || (starts("from ") && line.find(" import") != std::string_view::npos))) {
    return Hint::kPython;
  }
  const bool colon = !line.empty() && line.back() == ':';
  if (starts("def ") || starts("@") || (starts("class ") && colon)) return Hint::kPython;
  const bool assigns_triple = line.find("= \"\"\"") != std::string_view::npos ||
                              line.find("= '''") != std::string_view::npos ||
                              line.find("= r\"\"\"") != std::string_view::npos;
  return assigns_triple ? Hint::kPython : Hint::kNone;
}

}  // namespace

bool looks_like_python(std::string_view text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const Hint hint = hint_of_line(text.substr(begin, end - begin));
    if (hint != Hint::kNone) return hint == Hint::kPython;
    begin = end + 1;
  }
  return false;
}

}  // namespace cuset::cuda_source
