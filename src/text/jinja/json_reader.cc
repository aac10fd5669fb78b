// The filter from_json: json.loads of Python, for templates that take the arguments of a tool call as a string.
// Strings keep the provenance of the text that they were read from, so that a special token which a user wrote into
// a JSON string stays letters. As in Python, NaN and Infinity are numbers and of equal keys the last one counts.
#include <limits>

#include "text/jinja/filters.h"
#include "text/jinja/literal.h"

namespace cuset::text::jinja {
namespace {

class JsonReader {
 public:
  JsonReader(const Text& text, Budget& budget) : text_(text), bytes_(text.bytes), budget_(budget) {}

  Value read_all() {
    Value value = read(0);
    skip_space();
    if (at_ != bytes_.size()) refuse("text after the value");
    return value;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    fail("from_json: not valid JSON at byte {}: {}", at_, what);
  }
  void skip_space() {
    while (at_ < bytes_.size() && std::string_view(" \t\n\r").find(bytes_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool skip(std::string_view word) {
    if (bytes_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  // After any space.
  bool skip_sign(char sign) {
    skip_space();
    return skip({&sign, 1});
  }
  size_t skip_digits() {
    const size_t first = at_;
    while (at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9') ++at_;
    return at_ - first;
  }

  Value read(int depth);
  Value read_list(int depth);
  Value read_dict(int depth);
  Value read_number();
  TextPtr read_string();
  void read_escape(TextBuilder& out);
  int32_t read_hex();

  const Text& text_;
  std::string_view bytes_;
  Budget& budget_;
  size_t at_ = 0;
};

Value JsonReader::read(int depth) {
  budget_.step();
  if (depth >= kDeepestValue) refuse("it nests too deeply");
  skip_space();
  if (skip("[")) return read_list(depth);
  if (skip("{")) return read_dict(depth);
  if (skip("\"")) return read_string();
  if (skip("null")) return None{};
  if (skip("true")) return true;
  if (skip("false")) return false;
  if (skip("NaN")) return std::numeric_limits<double>::quiet_NaN();
  if (skip("Infinity")) return std::numeric_limits<double>::infinity();
  if (skip("-Infinity")) return -std::numeric_limits<double>::infinity();
  return read_number();
}

Value JsonReader::read_list(int depth) {
  std::vector<Value> items;
  if (skip_sign(']')) return make_list(std::move(items));
  do {
    budget_.charge_items(1);
    items.push_back(read(depth + 1));
  } while (skip_sign(','));
  if (!skip_sign(']')) refuse("expected ',' or ']'");
  return make_list(std::move(items));
}

Value JsonReader::read_dict(int depth) {
  Dict dict;
  if (skip_sign('}')) return make_dict({});
  do {
    if (!skip_sign('"')) refuse("expected a key in double quotes");
    Value key = read_string();
    if (!skip_sign(':')) refuse("expected ':'");
    Value value = read(depth + 1);
    budget_.charge_items(1);
    if (const Value* same = find_key(dict, key, budget_)) {
      *const_cast<Value*>(same) = std::move(value);  // NOLINT: an item of our own dict
    } else {
      dict.items.emplace_back(std::move(key), std::move(value));
    }
  } while (skip_sign(','));
  if (!skip_sign('}')) refuse("expected ',' or '}'");
  return make_dict(std::move(dict.items));
}

Value JsonReader::read_number() {
  const size_t first = at_;
  skip("-");
  if (!skip("0") && skip_digits() == 0) refuse("expected a value");
  size_t end = at_;
  bool is_real = false;
  // A point or exponent without digits is not part of the number.
  if (skip(".") && skip_digits() > 0) end = at_, is_real = true;
  at_ = end;
  if (skip("e") || skip("E")) {
    if (!skip("+")) skip("-");
    if (skip_digits() > 0) end = at_, is_real = true;
  }
  at_ = end;
  const std::string_view digits = bytes_.substr(first, end - first);
  if (is_real) return *parse_python_float(digits);
  const auto number = parse_python_int(digits, 10);
  if (!number || !number->fits) fail("an integer beyond 64 bits is not supported");
  return number->value;
}

TextPtr JsonReader::read_string() {
  TextBuilder out;
  size_t copied = at_;
  const size_t first = at_;
  while (at_ < bytes_.size() && bytes_[at_] != '"') {
    if (static_cast<unsigned char>(bytes_[at_]) < 0x20) refuse("a control character in a string");
    if (bytes_[at_] != '\\') {
      ++at_;
      continue;
    }
    out.append(text_, copied, at_);
    read_escape(out);
    copied = at_;
  }
  if (at_ >= bytes_.size()) refuse("the string has no closing quote");
  budget_.charge((at_ - first) * (text_.marks.empty() ? 8 : 8 + sizeof(Mark)));
  out.append(text_, copied, at_++);
  return out.finish();
}

void JsonReader::read_escape(TextBuilder& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const size_t first = at_++;
  if (at_ >= bytes_.size()) refuse("the string has no closing quote");
  if (const size_t letter = kLetters.find(bytes_[at_]); letter != std::string_view::npos) {
    ++at_;
    return out.append_mapped(kMeanings.substr(letter, 1), text_, first, at_);
  }
  if (!skip("u")) refuse("unknown escape");
  int32_t code = read_hex();
  if (code >= 0xD800 && code < 0xDC00 && skip("\\u")) {
    const int32_t low = read_hex();
    if (low < 0xDC00 || low > 0xDFFF) refuse("half of a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code >= 0xD800 && code <= 0xDFFF) refuse("half of a surrogate pair");
  std::string character;
  append_code_point(character, code);
  out.append_mapped(character, text_, first, at_);
}

int32_t JsonReader::read_hex() {
  int32_t code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const size_t digit = at_ < bytes_.size()
                             ? std::string_view("0123456789abcdef0123456789ABCDEF").find(bytes_[at_])
                             : std::string_view::npos;
    if (digit == std::string_view::npos) refuse("\\u needs four hexadecimal digits");
    code = code * 16 + static_cast<int32_t>(digit % 16);
  }
  return code;
}

}  // namespace

Value filter_from_json(const Value& value, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  if (const auto* missing = value.as<Undefined>()) fail("{}", *missing->why);
  if (value.text() == nullptr) fail("from_json needs a string, not {}", type_name(value));
  return JsonReader(*value.text(), budget).read_all();
}

}  // namespace cuset::text::jinja
