#include "base/json/json_cursor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::base {
namespace {

constexpr size_t kLongestPlainKey = 60;

const Json& null_value() {
  static const Json null;
  return null;
}

bool is_plain_key(std::string_view key) {
  return !key.empty() && key.size() <= kLongestPlainKey && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
  });
}

std::string step_to(std::string_view key) {
  return is_plain_key(key) ? fmt::format(".{}", key) : fmt::format("[{}]", in_quotes(key));
}

// The steps from `here` to `wanted`, the last one first.
bool find_steps(const Json& here, const Json& wanted, std::vector<std::string>& steps) {
  if (&here == &wanted) return true;
  if (here.is_array()) {
    for (size_t i = 0; i < here.size(); ++i) {
      if (!find_steps(here[i], wanted, steps)) continue;
      steps.push_back(fmt::format("[{}]", i));
      return true;
    }
  } else if (here.is_object()) {
    for (const auto& [key, member] : here.get_ref<const Json::object_t&>()) {
      if (!find_steps(member, wanted, steps)) continue;
      steps.push_back(step_to(key));
      return true;
    }
  }
  return false;
}

const Json* find_member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  for (const auto& [name, member] : object.get_ref<const Json::object_t&>()) {
    if (name == key) return &member;
  }
  return nullptr;
}

std::string described(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "the string " + in_quotes(value.get_ref<const std::string&>());
    case Json::value_t::null:
    case Json::value_t::boolean:
      return to_json_line(value);
    case Json::value_t::number_float:
      return fmt::format("the number {}", value.get<double>());
    default:
      return "the number " + to_json_line(value);
  }
}

std::string whole_number_within(int64_t low, int64_t high) {
  const bool has_low = low != std::numeric_limits<int64_t>::min();
  const bool has_high = high != std::numeric_limits<int64_t>::max();
  if (has_low && has_high) return fmt::format("a whole number from {} to {}", low, high);
  if (has_low) return fmt::format("a whole number of {} or more", low);
  return has_high ? fmt::format("a whole number up to {}", high) : "a whole number";
}

// Nothing where the value is not a whole number of 64 bits with its sign.
std::optional<int64_t> whole_number_in(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  if (std::trunc(number) != number || std::abs(number) > 0x1p53) return std::nullopt;
  return static_cast<int64_t>(number);
}

}  // namespace

const Json& json_member(const Json& object, std::string_view key) {
  const Json* member = find_member(object, key);
  return member == nullptr ? null_value() : *member;
}

const std::string& json_string(const Json& object, std::string_view key) {
  static const std::string empty;
  const Json& member = json_member(object, key);
  return member.is_string() ? member.get_ref<const std::string&>() : empty;
}

const Json& json_list(const Json& object, std::string_view key) {
  static const Json empty = Json::array();
  const Json& member = json_member(object, key);
  return member.is_array() ? member : empty;
}

JsonCursor JsonCursor::with_remedy(std::string_view remedy) const {
  JsonCursor same = *this;
  same.remedy_ = remedy;
  return same;
}

JsonCursor JsonCursor::to(const Json& value) const {
  JsonCursor there(*document_, source_, prefix_);
  there.value_ = &value;
  there.remedy_ = remedy_;
  return there;
}

std::string JsonCursor::path() const {
  std::vector<std::string> steps;
  find_steps(*document_, parent_ != nullptr ? *parent_ : *value_, steps);
  std::string path(prefix_);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) path += *step;
  path += missing_;
  if (path.starts_with('.')) path.erase(0, 1);
  return path;
}

std::string JsonCursor::place() const {
  const std::string where = path();
  return where.empty() ? fmt::format("{}: the top level", source_)
                       : fmt::format("{}: field '{}'", source_, where);
}

std::string JsonCursor::found() const { return described(*value_); }

JsonCursor JsonCursor::get(std::string_view key) const {
  if (const Json* member = find_member(*value_, key)) return to(*member);
  if (!is_absent()) expect_object();
  JsonCursor absent = to(null_value());
  absent.parent_ = parent_ != nullptr ? parent_ : value_;
  absent.missing_ = missing_ + step_to(key);
  return absent;
}

JsonCursor JsonCursor::at(std::string_view key) const {
  expect_object();
  JsonCursor member = get(key);
  if (member.parent_ != nullptr) member.refuse("is missing");
  return member;
}

std::vector<JsonCursor::Member> JsonCursor::members() const {
  expect_object();
  std::vector<Member> all;
  all.reserve(value_->size());
  for (const auto& [key, member] : value_->get_ref<const Json::object_t&>()) all.push_back({key, to(member)});
  return all;
}

std::vector<JsonCursor> JsonCursor::elements() const {
  if (!value_->is_array()) refuse_type("a list");
  std::vector<JsonCursor> all;
  all.reserve(value_->size());
  for (const Json& element : *value_) all.push_back(to(element));
  return all;
}

std::vector<JsonCursor> JsonCursor::elements_or_none() const {
  return is_absent() ? std::vector<JsonCursor>() : elements();
}

std::vector<std::string> JsonCursor::strings() const {
  std::vector<std::string> all;
  for (const JsonCursor& element : elements()) all.push_back(element.string());
  return all;
}

std::vector<std::string> JsonCursor::strings_or_none() const {
  return is_absent() ? std::vector<std::string>() : strings();
}

const std::string& JsonCursor::string() const {
  if (!value_->is_string()) refuse_type("a string");
  return value_->get_ref<const std::string&>();
}

const std::string& JsonCursor::nonempty_string() const {
  if (string().empty()) refuse("must not be empty");
  return string();
}

std::string JsonCursor::string_or(std::string_view fallback) const {
  return is_absent() ? std::string(fallback) : string();
}

Json JsonCursor::json_in_string() const {
  std::variant<Json, JsonFault> parsed = try_parse_json(string());
  if (const auto* fault = std::get_if<JsonFault>(&parsed)) {
    refuse(fmt::format("does not hold valid JSON: {}", fault->reason));
  }
  return std::get<Json>(std::move(parsed));
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) refuse_type("true or false");
  return value_->get<bool>();
}

double JsonCursor::number() const {
  if (!value_->is_number()) refuse_type("a number");
  return value_->get<double>();
}

double JsonCursor::positive_number() const {
  if (!(number() > 0)) refuse_type("a number above 0");
  return number();
}

int64_t JsonCursor::integer(int64_t low, int64_t high) const {
  const std::optional<int64_t> number = whole_number_in(*value_);
  if (!number || *number < low || *number > high) refuse_type(whole_number_within(low, high));
  return *number;
}

int64_t JsonCursor::integer_or(int64_t fallback, int64_t low, int64_t high) const {
  return is_absent() ? fallback : integer(low, high);
}

uint64_t JsonCursor::unsigned_integer() const {
  if (value_->is_number_unsigned()) return value_->get<uint64_t>();
  return static_cast<uint64_t>(integer(0));
}

void JsonCursor::expect_object() const {
  if (!value_->is_object()) refuse_type("an object");
}

void JsonCursor::expect_only(std::span<const std::string_view> known) const {
  expect_object();
  for (const auto& [key, member] : value_->get_ref<const Json::object_t&>()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    to(member).refuse(fmt::format("is not supported{}", did_you_mean(key, known)),
                      fmt::format("supported here: {}", fmt::join(known, ", ")));
  }
}

void JsonCursor::refuse(std::string_view reason, std::string_view remedy) const {
  throw Error("{} {}", place(), reason).with_remedy("{}", remedy.empty() ? remedy_ : remedy);
}

void JsonCursor::refuse_type(std::string_view wanted) const {
  if (parent_ != nullptr) refuse(fmt::format("is missing; it must be {}", wanted));
  refuse(fmt::format("must be {}, found {}", wanted, found()));
}

void JsonCursor::refuse_name(std::string_view wanted, std::span<const std::string_view> known) const {
  refuse(fmt::format("must be {}, found {}{}", wanted, found(), did_you_mean(string(), known)),
         fmt::format("one of: {}", fmt::join(known, ", ")));
}

}  // namespace cuset::base
