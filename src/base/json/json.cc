#include "base/json/json.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::base {
namespace {

constexpr size_t kDeepestNesting = 512;
constexpr size_t kFewKeys = 16;
constexpr size_t kLongestReason = 200;

// "line 3, column 7" of a byte position.
std::string place_in(std::string_view text, size_t position) {
  const std::string_view before = text.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return fmt::format("line {}, column {}", line, position - line_start + 1);
}

// What nlohmann says, without its prefix and its own position ("[json.exception.parse_error.101] parse error
// at line 1, column 7: ") and without the text it read last, which is as long and as unprintable as the input
// likes.
std::string reason_of(std::string_view message) {
  if (const size_t end = message.find("] "); end != std::string_view::npos) message.remove_prefix(end + 2);
  const size_t colon = message.find(": ");
  if (message.starts_with("parse error") && colon != std::string_view::npos) message.remove_prefix(colon + 2);
  std::string_view expected;
  if (const size_t last_read = message.find("; last read: '"); last_read != std::string_view::npos) {
    const size_t tail = message.rfind("; expected ");
    if (tail != std::string_view::npos && tail > last_read) expected = message.substr(tail);
    message = message.substr(0, last_read);
  }
  return std::string(message.substr(0, kLongestReason)) + std::string(expected.substr(0, kLongestReason));
}

// Where the bracket stands that nests deeper than `limit`.
size_t too_deep_position(std::string_view text, size_t limit) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++depth > limit) return i;
    } else if (!in_string && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return text.size();
}

using Object = Json::object_t;

bool has_repeated_key_among_few(const Object& object) {
  for (auto one = object.begin(); one != object.end(); ++one) {
    for (auto other = object.begin(); other != one; ++other) {
      if (one->first == other->first) return true;
    }
  }
  return false;
}

// Keeps the last value of a repeated key in the place of the first.
void merge_repeated_keys(Object& object) {
  if (object.size() <= kFewKeys && !has_repeated_key_among_few(object)) return;
  const auto at = [&](size_t i) -> Object::value_type& {
    return *(object.begin() + static_cast<ptrdiff_t>(i));
  };
  std::vector<size_t> by_key(object.size());
  std::iota(by_key.begin(), by_key.end(), 0);
  std::stable_sort(by_key.begin(), by_key.end(),
                   [&](size_t a, size_t b) { return at(a).first < at(b).first; });
  std::vector<bool> merged(object.size(), false);
  size_t first = 0;
  for (size_t i = 1; i < by_key.size(); ++i) {
    if (at(by_key[i]).first != at(by_key[first]).first) {
      first = i;
      continue;
    }
    at(by_key[first]).second = std::move(at(by_key[i]).second);
    merged[by_key[i]] = true;
  }
  if (std::find(merged.begin(), merged.end(), true) == merged.end()) return;
  Object kept;
  for (size_t i = 0; i < merged.size(); ++i) {
    if (!merged[i]) kept.emplace_back(at(i).first, std::move(at(i).second));
  }
  object.swap(kept);
}

// Builds the value from nlohmann's events. Its own builder looks every new key up among all earlier ones,
// which is quadratic for ordered objects: a vocabulary of 150,000 entries takes 20 seconds.
class ValueBuilder final : public nlohmann::json_sax<Json> {
 public:
  Json& value() { return root_; }
  const std::optional<JsonFault>& fault() const { return fault_; }
  bool is_too_deep() const { return is_too_deep_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // exists in binary formats only
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    open_.back()->get_ref<Object&>().emplace_back(std::move(name), nullptr);
    return true;
  }

  bool end_object() override {
    merge_repeated_keys(open_.back()->get_ref<Object&>());
    return close();
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override {
    fault_ = JsonFault{position == 0 ? 0 : position - 1, reason_of(error.what())};
    return false;
  }

 private:
  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& parent = *open_.back();
    if (parent.is_object()) return parent.get_ref<Object&>().back().second = std::move(value);
    return parent.get_ref<Json::array_t&>().emplace_back(std::move(value));
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json container) {
    is_too_deep_ = open_.size() >= kDeepestNesting;
    // A parent's elements move only when it grows, and then this one is closed already: the pointer stays
    // good.
    if (!is_too_deep_) open_.push_back(&place(std::move(container)));
    return !is_too_deep_;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  std::optional<JsonFault> fault_;
  bool is_too_deep_ = false;
};

}  // namespace

std::variant<Json, JsonFault> try_parse_json(std::string_view text) {
  // Versions of the parser word this differently.
  if (text.empty()) return JsonFault{0, "syntax error while parsing value - unexpected end of input"};
  ValueBuilder builder;
  if (Json::sax_parse(text, &builder)) return std::move(builder.value());
  if (builder.is_too_deep()) {
    return JsonFault{too_deep_position(text, kDeepestNesting),
                     fmt::format("nested deeper than {} levels", kDeepestNesting)};
  }
  CUSET_CHECK(builder.fault().has_value(), "the parser stopped without a reason");
  JsonFault fault = *builder.fault();
  fault.position = std::min(fault.position, text.size());
  const size_t start = fault.position - std::min<size_t>(fault.position, 20);
  if (!text.empty()) fault.reason += " near " + in_quotes(text.substr(start, 30), 30);
  return fault;
}

Json parse_json(std::string_view text, std::string_view name) {
  std::variant<Json, JsonFault> parsed = try_parse_json(text);
  if (auto* value = std::get_if<Json>(&parsed)) return std::move(*value);
  const auto& fault = std::get<JsonFault>(parsed);
  throw Error("{}: not valid JSON at {}: {}", name, place_in(text, fault.position), fault.reason);
}

Json read_json_file(const std::filesystem::path& path) { return parse_json(read_file(path), path.string()); }

std::string to_json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_json_file(const std::filesystem::path& path, const Json& value) {
  write_file_atomic(path, value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace cuset::base
