// The two ways in which Python formats strings, as far as chat templates use them: `'%s' % x` and
// `'{}'.format(x)`. Conversions with flags or widths are refused by name.
#include <charconv>
#include <cmath>

#include "text/jinja/strings.h"

namespace cuset::text::jinja {
namespace {

// Draws the arguments of `%` one after another.
class PercentArguments {
 public:
  explicit PercentArguments(const Value& value) {
    if (const auto* tuple = value.as<Tuple>()) {
      values_ = tuple->items->items;
    } else {
      values_ = {value};
    }
    // A mapping, or anything with items, may stay unused.
    const bool has_items =
        value.dict() != nullptr || value.is<List>() || value.is<Range>() || value.is_undefined();
    all_needed_ = value.is<Tuple>() || !has_items;
  }

  const Value& next() {
    if (used_ >= values_.size()) fail("not enough arguments for format string");
    return values_[used_++];
  }
  void finish() const {
    if (all_needed_ && used_ != values_.size()) fail("not all arguments converted during string formatting");
  }

 private:
  std::vector<Value> values_;
  size_t used_ = 0;
  bool all_needed_ = true;
};

TextPtr percent_integer(const Value& value) {
  if (const auto* number = value.as<double>()) {
    if (!(std::abs(*number) < 9e18)) fail("%d of a number beyond 64 bits is not supported");
    return make_text(std::to_string(static_cast<int64_t>(*number)));
  }
  const auto number = value.integer();
  if (!number) fail("%d format: a number is required, not {}", type_name(value));
  return make_text(std::to_string(*number));
}

void append_charged(TextBuilder& out, const Text& piece, Budget& budget) {
  budget.charge(2 * piece.cost());
  out.append(piece);
}

// The value that a {field} names. Automatic and explicit numbers do not mix, as in Python.
class BraceFields {
 public:
  explicit BraceFields(const FormatArguments& arguments) : arguments_(arguments) {}

  const Value& find(std::string_view field) {
    if (field.find_first_of(":!.[") != std::string_view::npos) {
      fail("format field {{{}}} is not supported; only {{}}, {{0}} and {{name}} are", field);
    }
    if (field.empty()) {
      if (mode_ == Mode::numbered)
        fail("cannot switch from manual field specification to automatic field numbering");
      mode_ = Mode::automatic;
      return positional(next_++);
    }
    size_t index = 0;
    const auto read = std::from_chars(field.data(), field.data() + field.size(), index);
    if (read.ec == std::errc() && read.ptr == field.data() + field.size()) {
      if (mode_ == Mode::automatic)
        fail("cannot switch from automatic field numbering to manual field specification");
      mode_ = Mode::numbered;
      return positional(index);
    }
    for (const auto& [name, value] : arguments_.named) {
      if (name == field) return value;
    }
    fail("format has no argument '{}'", field);
  }

 private:
  enum class Mode { unknown, automatic, numbered };

  const Value& positional(size_t index) const {
    if (index >= arguments_.positional.size()) fail("format has no argument number {}", index);
    return arguments_.positional[index];
  }

  const FormatArguments& arguments_;
  size_t next_ = 0;
  Mode mode_ = Mode::unknown;
};

}  // namespace

TextPtr format_percent(const Text& format, const Value& arguments, Budget& budget) {
  budget.charge(4 * format.cost());
  TextBuilder out;
  PercentArguments values(arguments);
  const std::string& bytes = format.bytes;
  for (size_t position = 0; position < bytes.size();) {
    const size_t percent = std::min(bytes.find('%', position), bytes.size());
    out.append(format, position, percent);
    if (percent == bytes.size()) break;
    if (percent + 1 == bytes.size()) fail("incomplete format");
    const char kind = bytes[percent + 1];
    switch (kind) {
      case '%':
        out.append(format, percent, percent + 1);
        break;
      case 's':
        append_charged(out, *to_text(values.next(), budget), budget);
        break;
      case 'r':
        append_charged(out, *repr(values.next(), budget), budget);
        break;
      case 'd':
      case 'i':
        out.append(*percent_integer(values.next()));
        break;
      default:
        fail("string format %{} is not supported; only %s, %r, %d, %i and %% are", kind);
    }
    position = percent + 2;
  }
  values.finish();
  return out.finish();
}

TextPtr format_braces(const Text& format, const FormatArguments& arguments, Budget& budget) {
  budget.charge(4 * format.cost());
  TextBuilder out;
  BraceFields fields(arguments);
  const std::string& bytes = format.bytes;
  for (size_t position = 0; position < bytes.size();) {
    const size_t brace = std::min(bytes.find_first_of("{}", position), bytes.size());
    out.append(format, position, brace);
    if (brace == bytes.size()) break;
    if (brace + 1 < bytes.size() && bytes[brace + 1] == bytes[brace]) {
      out.append(format, brace, brace + 1);
      position = brace + 2;
      continue;
    }
    const size_t close = bytes[brace] == '}' ? std::string::npos : bytes.find_first_of("{}", brace + 1);
    if (close == std::string::npos || bytes[close] == '{') fail("single or nested brace in a format string");
    const std::string_view field = std::string_view(bytes).substr(brace + 1, close - brace - 1);
    append_charged(out, *to_text(fields.find(field), budget), budget);
    position = close + 1;
  }
  return out.finish();
}

}  // namespace cuset::text::jinja
