// str() and repr() of values, as Python prints them, with the provenance of every string kept.
#include <utf8proc.h>

#include <array>
#include <charconv>
#include <cmath>

#include "text/jinja/loop.h"
#include "text/jinja/macro.h"
#include "text/jinja/value.h"

namespace cuset::text::jinja {
namespace {

// Python's str.isprintable for one code point.
bool is_printable(int32_t c) {
  if (c < 0x7F) return c >= 0x20;
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return true;
  }
}

std::string escaped_for_repr(int32_t c, char quote) {
  if (c == quote || c == '\\') return {'\\', static_cast<char>(c)};
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  if (c <= 0xFF) return fmt::format("\\x{:02x}", c);
  return c <= 0xFFFF ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c);
}

class Printer {
 public:
  explicit Printer(Budget& budget) : budget_(budget) {}

  void print_repr(const Value& value);
  TextPtr finish() { return out_.finish(); }

 private:
  void write(std::string_view plain) {
    budget_.charge(2 * plain.size());
    out_.append(plain);
  }
  void print_text(const Text& text);
  void print_items(const std::vector<Value>& items);
  void print_dict(const Dict& dict);
  void print_view(const View& view);
  void print_namespace(const Namespace& space);

  Budget& budget_;
  TextBuilder out_;
  int depth_ = 0;
};

void Printer::print_text(const Text& text) {
  budget_.charge(text.remarking_cost());
  const bool has_single = text.bytes.find('\'') != std::string::npos;
  const char quote = has_single && text.bytes.find('"') == std::string::npos ? '"' : '\'';
  if (text.is_safe) write("Markup(");
  out_.append({&quote, 1});
  for (size_t position = 0; position < text.bytes.size();) {
    const CodePoint c = code_point_at(text.bytes, position);
    if (c.value == quote || c.value == '\\' || !is_printable(c.value)) {
      out_.append_mapped(escaped_for_repr(c.value, quote), text, position, c.end);
    } else {
      out_.append(text, position, c.end);
    }
    position = c.end;
  }
  out_.append({&quote, 1});
  if (text.is_safe) write(")");
}

void Printer::print_items(const std::vector<Value>& items) {
  bool first = true;
  for (const Value& item : items) {
    if (!first) write(", ");
    first = false;
    print_repr(item);
  }
}

void Printer::print_dict(const Dict& dict) {
  write("{");
  bool first = true;
  for (const auto& [key, value] : dict.items) {
    if (!first) write(", ");
    first = false;
    print_repr(key);
    write(": ");
    print_repr(value);
  }
  write("}");
}

void Printer::print_view(const View& view) {
  write(type_name(view));
  write("([");
  print_items(to_vector(view, budget_));
  write("])");
}

void Printer::print_namespace(const Namespace& space) {
  std::vector<std::pair<Value, Value>> items;
  for (const auto& [name, value] : space.attributes) items.emplace_back(text_value(name), value);
  write("<Namespace ");
  print_dict(Dict{std::move(items), 1});
  write(">");
}

void Printer::print_repr(const Value& value) {
  budget_.step();
  if (++depth_ > kDeepestValue) fail("a value nests too deeply to be printed");
  if (const Text* text = value.text()) {
    print_text(*text);
  } else if (const auto* list = value.as<List>()) {
    write("[");
    print_items(list->items->items);
    write("]");
  } else if (const auto* tuple = value.as<Tuple>()) {
    write("(");
    print_items(tuple->items->items);
    write(tuple->items->items.size() == 1 ? ",)" : ")");
  } else if (const Dict* dict = value.dict()) {
    print_dict(*dict);
  } else if (const auto* view = value.as<View>()) {
    print_view(*view);
  } else if (const auto* space = value.as<std::shared_ptr<Namespace>>()) {
    print_namespace(**space);
  } else if (value.is_undefined()) {
    write("Undefined");
  } else {
    out_.append(*to_text(value, budget_));
  }
  --depth_;
}

std::string range_repr(const Range& range) {
  if (range.step == 1) return fmt::format("range({}, {})", range.start, range.stop);
  return fmt::format("range({}, {}, {})", range.start, range.stop, range.step);
}

}  // namespace

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  const auto scientific =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<size_t>(scientific.ptr - buffer.data()));
  const size_t e = text.find('e');
  int exponent = 0;
  const std::string_view digits = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  // Python writes numbers from 1e-4 up to 1e16 without an exponent.
  if (exponent < -4 || exponent >= 16) return std::string(text);
  const auto fixed =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  std::string out(buffer.data(), fixed.ptr);
  if (out.find('.') == std::string::npos) out += ".0";
  return out;
}

TextPtr repr(const Value& value, Budget& budget) {
  Printer printer(budget);
  printer.print_repr(value);
  return printer.finish();
}

TextPtr to_text(const Value& value, Budget& budget) {
  if (const auto* text = value.as<TextPtr>()) return *text;
  if (value.is_undefined()) return make_text("");
  if (value.is<None>()) return make_text("None");
  if (const auto* flag = value.as<bool>()) return make_text(*flag ? "True" : "False");
  if (const auto* number = value.as<int64_t>()) return make_text(std::to_string(*number));
  if (const auto* number = value.as<double>()) return make_text(float_repr(*number));
  if (const auto* range = value.as<Range>()) return make_text(range_repr(*range));
  if (const auto* macro = value.as<std::shared_ptr<const Macro>>()) {
    return make_text((*macro)->name.empty() ? "<Macro anonymous>"
                                            : fmt::format("<Macro '{}'>", (*macro)->name));
  }
  if (const auto* loop = value.as<std::shared_ptr<Loop>>()) {
    return make_text(fmt::format("<LoopContext {}/{}>", (*loop)->index0 + 1, (*loop)->total_length()));
  }
  if (value.is<GeneratorPtr>()) fail("a generator cannot be printed; add |list or |join");
  if (value.is<Builtin>() || value.is<std::shared_ptr<const Method>>())
    fail("a function cannot be printed; call it");
  return repr(value, budget);
}

}  // namespace cuset::text::jinja
