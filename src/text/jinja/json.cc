// The filter tojson as Hugging Face defines it: json.dumps(value, ensure_ascii=False, indent, separators,
// sort_keys), without HTML escapes. Provenance of the strings inside is kept, keys included.
#include <cmath>

#include "text/jinja/filters.h"

namespace cuset::text::jinja {
namespace {

class JsonWriter {
 public:
  JsonWriter(const BoundArguments& options, Budget& budget);

  void write(const Value& value, int level);
  TextPtr finish() { return out_.finish(); }

 private:
  void write_plain(std::string_view text) {
    budget_.charge(2 * text.size());
    out_.append(text);
  }
  void write_piece(const Text& text) {
    budget_.charge(2 * text.cost());
    out_.append(text);
  }
  void write_text(const Text& text);
  void write_number(double number);
  void write_list(const std::vector<Value>& items, int level);
  void write_dict(const Dict& dict, int level);
  void write_key(const Value& key);
  void new_line(int level);
  std::string escaped(int32_t c) const;

  Budget& budget_;
  TextBuilder out_;
  bool ascii_ = false;
  bool sorted_ = false;
  TextPtr indent_;  // null: all on one line
  TextPtr item_separator_;
  TextPtr key_separator_;
};

JsonWriter::JsonWriter(const BoundArguments& options, Budget& budget) : budget_(budget) {
  ascii_ = options.flag(0);
  sorted_ = options.flag(3);
  if (const Value* indent = options.given(1)) {
    if (const auto* text = indent->as<TextPtr>()) {
      indent_ = *text;
    } else {
      const int64_t width = options.integer(1, 0);
      if (width > 1000) fail("tojson with an indent of {} is not supported", width);
      indent_ = make_text(std::string(static_cast<size_t>(std::max<int64_t>(width, 0)), ' '));
    }
  }
  item_separator_ = make_text(indent_ == nullptr ? ", " : ",");
  key_separator_ = make_text(": ");
  if (const Value* separators = options.given(2)) {
    const std::vector<Value> pair = to_vector(*separators, budget);
    if (pair.size() != 2 || pair[0].text() == nullptr || pair[1].text() == nullptr) {
      fail("separators of tojson are two strings");
    }
    item_separator_ = *pair[0].as<TextPtr>();
    key_separator_ = *pair[1].as<TextPtr>();
  }
}

std::string JsonWriter::escaped(int32_t c) const {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\f':
      return "\\f";
    case '\b':
      return "\\b";
    default:
      break;
  }
  if (c < 0x10000) return fmt::format("\\u{:04x}", c);
  const int32_t rest = c - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}

void JsonWriter::write_text(const Text& text) {
  budget_.charge(text.remarking_cost() + 2);
  out_.append("\"");
  size_t copied = 0;
  for (size_t position = 0; position < text.bytes.size();) {
    const CodePoint c = code_point_at(text.bytes, position);
    const bool needs_escape =
        c.value < 0x20 || c.value == '"' || c.value == '\\' || (ascii_ && c.value > 0x7E);
    if (needs_escape) {
      out_.append(text, copied, position);
      out_.append_mapped(escaped(c.value), text, position, c.end);
      copied = c.end;
    }
    position = c.end;
  }
  out_.append(text, copied, text.bytes.size());
  out_.append("\"");
}

void JsonWriter::write_number(double number) {
  if (std::isnan(number))
    write_plain("NaN");
  else if (std::isinf(number))
    write_plain(number > 0 ? "Infinity" : "-Infinity");
  else
    write_plain(float_repr(number));
}

void JsonWriter::new_line(int level) {
  if (indent_ == nullptr) return;
  write_plain("\n");
  for (int i = 0; i < level; ++i) write_piece(*indent_);
}

void JsonWriter::write_list(const std::vector<Value>& items, int level) {
  if (items.empty()) return write_plain("[]");
  write_plain("[");
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) write_piece(*item_separator_);
    new_line(level + 1);
    write(items[i], level + 1);
  }
  new_line(level);
  write_plain("]");
}

void JsonWriter::write_key(const Value& key) {
  if (const Text* text = key.text()) return write_text(*text);
  write_plain("\"");
  if (key.is<None>())
    write_plain("null");
  else if (const auto* flag = key.as<bool>())
    write_plain(*flag ? "true" : "false");
  else if (const auto* number = key.as<int64_t>())
    write_plain(std::to_string(*number));
  else if (const auto* real = key.as<double>())
    write_number(*real);
  else
    fail("keys must be str, int, float, bool or None, not {}", type_name(key));
  write_plain("\"");
}

void JsonWriter::write_dict(const Dict& dict, int level) {
  if (dict.items.empty()) return write_plain("{}");
  std::vector<const std::pair<Value, Value>*> items;
  for (const auto& item : dict.items) items.push_back(&item);
  if (sorted_) {
    std::stable_sort(items.begin(), items.end(),
                     [&](const auto* a, const auto* b) { return less(a->first, b->first, budget_); });
  }
  write_plain("{");
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) write_piece(*item_separator_);
    new_line(level + 1);
    write_key(items[i]->first);
    write_piece(*key_separator_);
    write(items[i]->second, level + 1);
  }
  new_line(level);
  write_plain("}");
}

void JsonWriter::write(const Value& value, int level) {
  budget_.step();
  if (const Text* text = value.text())
    write_text(*text);
  else if (const auto* items = value.items())
    write_list(*items, level);
  else if (const Dict* dict = value.dict())
    write_dict(*dict, level);
  else if (value.is<None>())
    write_plain("null");
  else if (const auto* flag = value.as<bool>())
    write_plain(*flag ? "true" : "false");
  else if (const auto* number = value.as<int64_t>())
    write_plain(std::to_string(*number));
  else if (const auto* real = value.as<double>())
    write_number(*real);
  else
    fail("an object of type {} cannot be written as JSON", type_name(value));
}

}  // namespace

Value filter_tojson(const Value& value, const Arguments& arguments, Budget& budget) {
  const BoundArguments options(arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonWriter writer(options, budget);
  writer.write(value, 0);
  return writer.finish();
}

}  // namespace cuset::text::jinja
