// A cursor into a JSON document from outside: a value together with where it stands, for readers that must
// say in one line what is wrong with a file:
//   tasks.jsonl:7: field 'inputs[2].domain.low' must be a number, found the string "x" (see docs/tasks.md)
//
//   const JsonCursor config(json, "model/config.json");
//   const int64_t layers = config.at("num_hidden_layers").integer(1, 10'000);
//   const std::string act = config.get("hidden_act").string_or("silu");
//
// A field whose value is null counts as absent. A cursor is a few pointers: its path is not stored but
// searched for in the document when a message needs it, so that reading costs nothing extra. (So do not ask
// for the path of every element of a long list.)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace cuset::base {

// The member `key` of an object; null where there is none, or where `object` is not an object. For readers
// that accept damaged records; the others use a cursor.
const Json& json_member(const Json& object, std::string_view key);
// The same, as an empty string or list where the member is of another type.
const std::string& json_string(const Json& object, std::string_view key);
const Json& json_list(const Json& object, std::string_view key);

// Borrows the document, which must not change meanwhile, and the texts. Every failure is an Error that opens
// with "SOURCE: field 'PATH'".
class JsonCursor {
 public:
  // `source` is a file ("config.json"), or a file and a line ("tasks.jsonl:7"). `prefix` is the path of the
  // document itself, where it is a part of a larger one.
  JsonCursor(const Json& document, std::string_view source, std::string_view prefix = {})
      : document_(&document), value_(&document), source_(source), prefix_(prefix) {}
  JsonCursor(Json&& document, std::string_view source, std::string_view prefix = {}) = delete;
  template <typename Text>
    requires std::is_same_v<Text, std::string>
  JsonCursor(const Json& document, Text&& source, std::string_view prefix = {}) = delete;

  // The same place with what the user can do about any fault here and below.
  JsonCursor with_remedy(std::string_view remedy) const;

  const Json& value() const { return *value_; }  // null where absent
  bool is_absent() const { return value_->is_null(); }
  std::string_view source() const { return source_; }
  std::string path() const;   // "inputs[2].domain"; empty at the top
  std::string place() const;  // "tasks.jsonl:7: field 'inputs[2].domain'"
  std::string found() const;  // "the string \"x\"", "a list", "true"; to say what was found in messages

  // The member `key`. Throws where this is not an object, and at() also where there is no such member.
  JsonCursor at(std::string_view key) const;
  JsonCursor get(std::string_view key) const;

  struct Member;
  std::vector<Member> members() const;
  std::vector<JsonCursor> elements() const;
  // None where the list is absent.
  std::vector<JsonCursor> elements_or_none() const;
  // The elements, each a string.
  std::vector<std::string> strings() const;
  std::vector<std::string> strings_or_none() const;

  const std::string& string() const;
  const std::string& nonempty_string() const;
  std::string string_or(std::string_view fallback) const;
  // The document that a string holds as JSON text.
  Json json_in_string() const;

  bool boolean() const;
  bool boolean_or(bool fallback) const { return is_absent() ? fallback : boolean(); }

  double number() const;
  double number_or(double fallback) const { return is_absent() ? fallback : number(); }
  double positive_number() const;

  // A whole number within the limits. 4.0 is one: JSON has a single kind of number.
  int64_t integer(int64_t low = std::numeric_limits<int64_t>::min(),
                  int64_t high = std::numeric_limits<int64_t>::max()) const;
  int64_t integer_or(int64_t fallback, int64_t low, int64_t high) const;
  // From 0 to 2^64 - 1.
  uint64_t unsigned_integer() const;

  // Refuses what is not an object, and members that are not in `known`, with the nearest known name.
  void expect_object() const;
  void expect_only(std::span<const std::string_view> known) const;
  void expect_only(std::initializer_list<std::string_view> known) const {
    expect_only(std::span(known.begin(), known.size()));
  }

  // Throws Error "SOURCE: field 'PATH' REASON".
  [[noreturn]] void refuse(std::string_view reason, std::string_view remedy = {}) const;
  // "... must be a string, found the number 3", or "... is missing; it must be a string".
  [[noreturn]] void refuse_type(std::string_view wanted) const;
  // "... must be a role, found the string "usr"; did you mean 'user'?"
  [[noreturn]] void refuse_name(std::string_view wanted, std::span<const std::string_view> known) const;

 private:
  JsonCursor to(const Json& value) const;

  const Json* document_;
  const Json* value_;             // null_value() where there is no such member
  std::string missing_;           // then the path below the object that lacks it
  const Json* parent_ = nullptr;  // and that object
  std::string_view source_;
  std::string_view prefix_;
  std::string_view remedy_;
};

struct JsonCursor::Member {
  std::string_view key;
  JsonCursor value;
};

}  // namespace cuset::base
